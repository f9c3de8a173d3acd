/** Returns the names and values in a `Cookie` header, in its order, as they were sent. */
export function cookiePairs(header: string | null | undefined): [name: string, value: string][] {
  return (header ?? "").split(";").flatMap((pair) => {
    const [name = "", ...value] = pair.split("=");
    return value.length > 0 ? [[name.trim(), value.join("=").trim()]] : [];
  });
}
