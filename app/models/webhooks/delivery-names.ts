import { isUuid } from "~/utils/uuid";

/** The form of a provider's id: `cus_…`, `pi_…`. */
const ID = /^[a-z]{2,9}_\w{2,200}$/;
/** Words such as `payment_intent` are in lower case throughout. */
const NO_WORD = /[A-Z0-9]/;
/** `pi_…_secret_…` lets a browser finish that payment. */
const SECRET = /_secret_/;
/** Ids of what many people share: catalog, event and request. */
const SHARED = /^(?:price|prod|plan|evt|req|acct|whsec)_/;

/** An event names about ten. */
const MOST_NAMES = 60;
/** Values of the payload that are looked at: an invoice may have hundreds of lines. */
const MOST_VALUES = 20_000;

/**
 * The ids that a delivery's payload names: of people, customers, payments, subscriptions. By these its person is found,
 * also if the event can't be read. Empty if the payload isn't JSON.
 */
export function namesIn(payload: Uint8Array): string[] {
  const names = new Set<string>();
  // Breadth first: the object's own ids stand above those of its parts.
  const waiting: unknown[] = [parsed(payload)];
  for (let at = 0; at < waiting.length && at < MOST_VALUES && names.size < MOST_NAMES; at += 1) {
    const value = waiting[at];
    if (typeof value === "string" && isName(value)) names.add(value);
    if (typeof value !== "object" || value === null) continue;
    for (const part of Object.values(value)) waiting.push(part);
  }
  return [...names];
}

const isName = (text: string): boolean =>
  isUuid(text) || (ID.test(text) && NO_WORD.test(text) && !SECRET.test(text) && !SHARED.test(text));

function parsed(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return null;
  }
}
