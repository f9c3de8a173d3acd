/** Drops every line that matches. */
export function dropLines(text: string, line: RegExp): string {
  return text
    .split("\n")
    .filter((one) => !line.test(one))
    .join("\n");
}
