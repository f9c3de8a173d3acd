import { createInterface } from "node:readline/promises";
import { CURRENCY, PRODUCT_NAME } from "~/catalog";
import { API_LOCALE, isLocale, LOCALES, type Locale } from "~/i18n/locale";
import { UsageError } from "../../lib/command";

export interface Choices {
  name: string;
  /** The address that emails come from; null leaves it open. */
  sender: string | null;
  /** ISO 4217, in lower case. */
  currency: string;
  /** The languages that stay. */
  locales: Locale[];
  images: boolean;
}

/** The options of the command by their names; what is undefined is asked for. */
export type Given = { [name in keyof Choices]?: string | undefined };

interface Question {
  text: string;
  preset: string;
}

const QUESTIONS: Record<keyof Choices, Question> = {
  name: { text: "Name of the product", preset: PRODUCT_NAME },
  sender: { text: "Address that emails come from (empty: later)", preset: "" },
  currency: { text: "Currency of all prices", preset: CURRENCY },
  locales: { text: `Languages that stay, ${API_LOCALE} among them`, preset: LOCALES.join(",") },
  images: { text: "Sell generated images in npm run dev (on, off)", preset: "on" },
};

/**
 * Completes the options: asks for what is missing if somebody is at the terminal, and else takes what is
 * there now. Throws a UsageError for the first value that can't be used.
 */
export async function completeChoices(given: Given, ask: Ask | null): Promise<Choices> {
  const values: Record<string, string> = {};
  for (const [name, { text, preset }] of Object.entries(QUESTIONS)) {
    const value = given[name as keyof Choices] ?? (await ask?.(`${text} [${preset}]: `)) ?? "";
    values[name] = value.trim() || preset;
  }
  return parseChoices(values as Record<keyof Choices, string>);
}

export type Ask = (question: string) => Promise<string>;

/** Asks at the terminal; null where nobody is there. */
export function openTerminal(): { ask: Ask; close(): void } | null {
  if (!process.stdin.isTTY) return null;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return { ask: (question) => terminal.question(question), close: () => terminal.close() };
}

function parseChoices(values: Record<keyof Choices, string>): Choices {
  const { name, sender, images } = values;
  const currency = values.currency.toLowerCase();
  if (!/[\p{L}\p{N}]/u.test(name) || /["\\`$\n]/.test(name))
    throw new UsageError("--name needs a letter or a digit, and no quotation mark, $, ` or \\");
  if (sender !== "" && !/^[^@\s<>]+@[^@\s<>]+\.[^@\s<>]+$/.test(sender))
    throw new UsageError(`--sender '${sender}' is no email address`);
  if (!Intl.supportedValuesOf("currency").includes(currency.toUpperCase()))
    throw new UsageError(`--currency '${currency}' is no code of ISO 4217, such as eur`);
  if (images !== "on" && images !== "off") throw new UsageError("--images is on or off");
  const locales = parseLocales(values.locales);
  return { name, sender: sender || null, currency, locales, images: images === "on" };
}

function parseLocales(list: string): Locale[] {
  const wanted = list.split(",").map((locale) => locale.trim());
  const unknown = wanted.find((locale) => !isLocale(locale));
  if (unknown !== undefined)
    throw new UsageError(
      `--locales: '${unknown}' is none of ${LOCALES.join(", ")}; add another language afterwards, as docs/make-it-yours.md says`,
    );
  if (!wanted.includes(API_LOCALE))
    throw new UsageError(`--locales has to keep ${API_LOCALE}: the API and the commands speak it`);
  return LOCALES.filter((locale) => wanted.includes(locale));
}
