import { z } from "zod";

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/**
 * Checks a document's JSON against a schema and returns one line per fault. `"…"` and `"<name>"` stand
 * for any value, and `…` before a closing bracket for further fields.
 */
export function checkJson(text: string, schema: JsonSchema): string[] {
  const whole = text.replaceAll(/,?\s*…\s*(?=[}\]])/g, "");
  let value: unknown;
  try {
    value = JSON.parse(whole);
  } catch (error) {
    return [`is not JSON (${(error as Error).message})`];
  }
  const { error } = z.fromJSONSchema(schema).safeParse(value);
  const isShort = whole !== text;
  return (error?.issues ?? [])
    .filter(({ path }) => {
      const found = valueAt(value, path);
      return !(isPlaceholder(found) || (isShort && found === undefined));
    })
    .map((issue) => {
      const place = issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
      return `${place}${issue.message}`;
    });
}

const isPlaceholder = (value: unknown) => typeof value === "string" && /^(…|<\w+>)$/.test(value);

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
}
