import type en from "./locales/en.json";

/**
 * A schema's error as a message key: the same schema serves pages in every language and the JSON
 * API, which responds in English.
 */
export type ValidationKey = `validation.${keyof typeof en.validation}`;

export function isValidationKey(value: string): value is ValidationKey {
  return value.startsWith("validation.");
}

const LIMITED: ValidationKey = "validation.rateLimited";

/** Returns the message of a form beyond its limit, with the seconds until it may be sent again. */
export function limitedMessage(seconds: string | undefined): string {
  return seconds ? `${LIMITED}:${seconds}` : LIMITED;
}

/** Returns the seconds of such a message; null for every other one. */
export function secondsOf(message: string): number | null {
  const [key, seconds = ""] = message.split(":");
  return key === LIMITED && /^\d+$/.test(seconds) ? Number(seconds) : null;
}

/** Used as `error: invalid("required")` in schemas, so that a wrong key doesn't compile. */
export function invalid(name: keyof typeof en.validation): { error: ValidationKey } {
  return { error: `validation.${name}` };
}
