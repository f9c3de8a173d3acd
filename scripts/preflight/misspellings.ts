import { closest, distance } from "fastest-levenshtein";
import { isExtensionPoint } from "~/env/prices";
import { listVariables } from "~/env/variables";

export interface Misspelling {
  name: string;
  /** The known name that is most like it. */
  nearest: string;
}

/** Beginnings that no other program's variables have, so that any unknown name with one is a mistake. */
const OWN_PREFIXES =
  /^(NEXT_PUBLIC_)?(PROVIDER_[AB]|STRIPE|CREEM)_|^(IMAGE_PROVIDER|S3|SMTP|TRUST_PROXY|TURNSTILE|PASSWORD_BREACH|NEXT_PUBLIC_(ENABLE|SITE|TURNSTILE))_/;

/** Typing errors that a name of this length may have; a short one is soon another word. */
const mostErrors = (name: string) => Math.min(3, Math.floor(name.length / 5));

/** Finds the names that are none of the service's variables, and look as if they should be. */
export function findMisspellings(names: string[]): Misspelling[] {
  const known = listVariables().flatMap(({ name, alias }) => (alias ? [name, alias] : [name]));
  const isKnown = new Set(known);
  return names
    .filter((name) => !isKnown.has(name) && !isReserved(name))
    .map((name) => ({ name, nearest: closest(name, known) }))
    .filter(
      ({ name, nearest }) =>
        OWN_PREFIXES.test(name) || distance(name, nearest) <= mostErrors(nearest),
    );
}

const isReserved = (name: string) =>
  isExtensionPoint(name.replace(/^STRIPE_/, "PROVIDER_A_").replace(/^CREEM_/, "PROVIDER_B_"));
