const HIDDEN = "[redacted]";

/** Words of a field's name that say whom it is about, or that it opens something. */
const PERSONAL = new Set(
  `email emails mail name names phone address addresses shipping ip city postal zip state line1 line2
  country iban bic last4 fingerprint tax vat owner evidence signature secret token password url
  link pdf`.split(/\s+/),
);
/** Whole objects that hold a person's data under names that do not say so. */
const PERSONAL_OBJECTS = /^(customer|billing|shipping|payment_method|buyer|payer)_details$/;

/**
 * What of a provider's value is plainly not personal: ids, words of a vocabulary, numbers, times. A
 * text with a space, an `@` or an address in it may be anything.
 */
const PLAIN = /^[\w.:+-]{0,100}$/;

/**
 * A payload fit for a terminal that others may see: what helps to understand an event stays, names,
 * addresses, links and free text go. Fails closed: a text that is not known to be plain is hidden.
 */
export function redactPayload(value: unknown): unknown {
  if (typeof value === "string") return PLAIN.test(value) ? value : HIDDEN;
  if (Array.isArray(value)) return value.map(redactPayload);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      PLAIN.test(field) ? field : HIDDEN,
      isPersonal(field) && inner !== null ? HIDDEN : redactPayload(inner),
    ]),
  );
}

function isPersonal(field: string): boolean {
  const words = field.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  return PERSONAL_OBJECTS.test(words) || words.split(/[_-]/).some((word) => PERSONAL.has(word));
}
