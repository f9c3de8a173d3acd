import type en from "./locales/en.json";

/**
 * A schema's error as a message key: the same schema serves pages in every language and the JSON
 * API, which responds in English.
 */
export type ValidationKey = `validation.${keyof typeof en.validation}`;

export function isValidationKey(value: string): value is ValidationKey {
  return value.startsWith("validation.");
}

/** Used as `error: invalid("required")` in schemas, so that a wrong key doesn't compile. */
export function invalid(name: keyof typeof en.validation): { error: ValidationKey } {
  return { error: `validation.${name}` };
}
