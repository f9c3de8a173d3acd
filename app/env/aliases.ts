import { isExtensionPoint } from "~/env/prices";

const IMAGE_KEYS: Record<string, string> = {
  IMAGE_PROVIDER_1_KEY: "FAL_KEY",
  IMAGE_PROVIDER_2_KEY: "REPLICATE_API_TOKEN",
  IMAGE_PROVIDER_3_KEY: "OPENAI_API_KEY",
};

/** A variable's alias, or null: the provider's name in place of the neutral word. */
export function aliasOf(name: string): string | null {
  if (IMAGE_KEYS[name]) return IMAGE_KEYS[name];
  const alias = name
    .replace(/^(NEXT_PUBLIC_)?PROVIDER_A_/, "$1STRIPE_")
    .replace(/^PROVIDER_B_/, "CREEM_");
  return alias === name ? null : alias;
}

interface Texts {
  /** The set variables by their own names, trimmed. Blank counts as unset. */
  texts: Record<string, string>;
  /** The name under which each variable was set, for messages. */
  spelling: Record<string, string>;
  /** Pairs of names with different values. */
  faults: string[];
}

/** Reads the listed variables and the extension points under either of their names. */
export function readTexts(source: Record<string, string | undefined>, names: string[]): Texts {
  const extensionPoints = Object.keys(source)
    .map((name) => name.replace(/^STRIPE_/, "PROVIDER_A_").replace(/^CREEM_/, "PROVIDER_B_"))
    .filter(isExtensionPoint);
  const result: Texts = { texts: {}, spelling: {}, faults: [] };
  for (const name of new Set([...names, ...extensionPoints])) {
    const alias = aliasOf(name);
    const own = source[name]?.trim() || undefined;
    const other = (alias && source[alias]?.trim()) || undefined;
    const text = own ?? other;
    if (text === undefined) continue;
    result.texts[name] = text;
    result.spelling[name] = own === undefined && alias ? alias : name;
    if (own !== undefined && other !== undefined && own !== other)
      result.faults.push(
        `${name} and ${alias} disagree: they are two names of one setting, so keep only one`,
      );
  }
  return result;
}
