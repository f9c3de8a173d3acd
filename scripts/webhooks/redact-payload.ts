const HIDDEN = "[redacted]";

/** Words in a field's name that mark personal data or a secret. */
const PERSONAL = new Set(
  `email emails mail name names phone address addresses shipping ip city postal zip state line1 line2
  country iban bic last4 fingerprint tax vat owner evidence signature secret token password url
  link pdf`.split(/\s+/),
);
/** Objects that hold personal data although their field names don't show it. */
const PERSONAL_OBJECTS = /^(customer|billing|shipping|payment_method|buyer|payer)_details$/;

/**
 * Values that are clearly not personal: ids, enum values, numbers, times. A text with a space, an `@` or
 * a URL may be anything.
 */
const PLAIN = /^[\w.:+-]{0,100}$/;

/**
 * Makes a payload safe for a terminal that others may see: keeps what explains an event, hides names,
 * addresses, links and free text. Fails closed: a text that isn't clearly plain is hidden.
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
