import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { environmentSchema } from "~/env/variables";

/** Begins every telltale value of this run. Lower-case letters and digits stay as they are in any URL. */
const MARK = `telltale${randomBytes(6).toString("hex")}`;

/** Forms that variables ask for, tried in turn. Addresses are of a closed port, where asking fails at once. */
const FORMS: ((value: string) => string)[] = [
  (value) => value,
  ...["sk_test", "whsec", "price", "prod", "bpc"].map(
    (prefix) => (value: string) => `${prefix}_${value}`,
  ),
  (value) => `shop/${value}`,
  (value) => `http://127.0.0.1:1/${value}`,
  (value) => `Shop <${value}@shop.test>`,
  (value) => `smtp://shop:${value}@127.0.0.1:1`,
  (value) => `postgres://shop:${value}@127.0.0.1:1/shop`,
  (value) => `mailto:${value}@shop.test`,
  (value) => `name=${value}`,
];

/**
 * Returns a distinct value for each server-only variable whose format takes any text: all but numbers,
 * choices and switches. The list comes from the schema.
 */
export function telltaleEnvironment(): Record<string, string> {
  const entries = Object.entries<z.ZodType>(environmentSchema.shape)
    .filter(([name]) => !name.startsWith("NEXT_PUBLIC_"))
    .flatMap(([name, type], index) => {
      const value = `${MARK}x${index}x`.padEnd(40, "0");
      const text = FORMS.map((form) => form(value)).find((form) => type.safeParse(form).success);
      return text ? [[name, text] as const] : [];
    });
  return Object.fromEntries(entries);
}

/** The mark as it stands in the base64 of a longer text: its bits begin in one of three ways. */
const IN_BASE64 = [0, 1, 2].map((before) => {
  const text = Buffer.from("\0".repeat(before) + MARK).toString("base64");
  return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + MARK.length) * 4) / 3));
});
const IN_HEX = Buffer.from(MARK).toString("hex");

/**
 * Names the variables whose values are in a text: as they are, where their number follows, or in base64 or
 * hex, which is named alone.
 */
export function telltalesIn(text: string, environment: Record<string, string>): string[] {
  const encoded = [...IN_BASE64, IN_HEX].some((form) => text.includes(form)) ? ["encoded"] : [];
  if (!text.includes(MARK)) return encoded;
  const found = Object.entries(environment).flatMap(([name, value]) => {
    const number = /telltale\w+?x\d+x/.exec(value)?.[0] ?? value;
    return text.includes(number) ? name : [];
  });
  return [...(found.length > 0 ? found : ["part of a value"]), ...encoded];
}
