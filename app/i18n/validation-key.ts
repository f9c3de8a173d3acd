import type en from "./locales/en.json";

/**
 * What a schema says is wrong, as a message key: the same schema serves pages in every language
 * and the JSON interface, which answers in English.
 */
export type ValidationKey = `validation.${keyof typeof en.validation}`;

export function isValidationKey(value: string): value is ValidationKey {
  return value.startsWith("validation.");
}

/** Spelled `error: invalid("required")` in schemas, so that a wrong key does not compile. */
export function invalid(name: keyof typeof en.validation): { error: ValidationKey } {
  return { error: `validation.${name}` };
}
