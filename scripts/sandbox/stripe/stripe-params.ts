import { z } from "zod";
import { StripeRefusal } from "./stripe-refusal";

const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((entries) => Object.keys(entries).length <= 50);

const webAddress = z.url({ protocol: /^https?$/ });

const enabled = z.strictObject({ enabled: z.literal("true") });

const shared = {
  allowed_payment_method_types: z.tuple([z.literal("card")]),
  line_items: z.tuple([z.strictObject({ price: z.string(), quantity: z.literal("1") })]),
  client_reference_id: z.string().min(1).max(200),
  metadata,
  success_url: webAddress,
  cancel_url: webAddress,
  customer: z.string().optional(),
  customer_email: z.email().optional(),
  allow_promotion_codes: z.literal("true").optional(),
  automatic_tax: enabled.optional(),
  tax_id_collection: enabled.optional(),
  customer_update: z
    .strictObject({ name: z.literal("auto").optional(), address: z.literal("auto").optional() })
    .optional(),
};

/**
 * Parameters our app may and must send for a checkout, as of API version 2026-09-30 ("endive"), which
 * removed `payment_method_types`. Stricter than Stripe, where, for one, metadata is optional.
 */
export const sessionParams = z.discriminatedUnion("mode", [
  z.strictObject({
    mode: z.literal("payment"),
    payment_intent_data: z.strictObject({ metadata }),
    invoice_creation: enabled.optional(),
    ...shared,
  }),
  z.strictObject({
    mode: z.literal("subscription"),
    subscription_data: z.strictObject({ metadata }),
    ...shared,
  }),
]);

export type SessionParams = z.output<typeof sessionParams>;

/** Of a cancellation and of its taking back. Stripe refuses both parameters together. */
export const subscriptionParams = z.union([
  z.strictObject({ cancel_at_period_end: z.enum(["true", "false"]) }),
  z.strictObject({ cancel_at: z.literal("") }),
]);

/** Of requests that take none. */
export const noParams = z.strictObject({});

export const customerParams = z.strictObject({ email: z.email(), metadata: metadata.optional() });

/** A page that keeps a card of an existing customer. */
export const setupParams = z.strictObject({
  mode: z.literal("setup"),
  allowed_payment_method_types: z.tuple([z.literal("card")]),
  customer: z.string(),
  client_reference_id: z.string().min(1).max(200),
  metadata,
  setup_intent_data: z.strictObject({ metadata }),
  success_url: webAddress,
  cancel_url: webAddress,
});

/** A payment with a kept card, without its customer. */
export const intentParams = z.strictObject({
  amount: z.string().regex(/^[1-9]\d{0,7}$/),
  currency: z.string().regex(/^[a-z]{3}$/),
  customer: z.string(),
  payment_method: z.string(),
  allowed_payment_method_types: z.tuple([z.literal("card")]),
  off_session: z.literal("true"),
  confirm: z.literal("true"),
  metadata,
});

/** A payment that no card belongs to yet. */
export const emptyIntentParams = z.strictObject({
  amount: z.string().regex(/^[1-9]\d{0,7}$/),
  currency: z.string().regex(/^[a-z]{3}$/),
  allowed_payment_method_types: z.tuple([z.literal("card")]),
  metadata,
});

export const portalParams = z.strictObject({
  customer: z.string(),
  return_url: webAddress,
  configuration: z.string().startsWith("bpc_").optional(),
});

/** Parses a form-encoded body. @throws StripeRefusal naming the first faulty parameter */
export function parseParams<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (!issue) throw parsed.error;
  if (issue.code === "unrecognized_keys") {
    const param = nameOf([...issue.path, issue.keys[0] ?? ""]);
    throw refusal("parameter_unknown", `Received unknown parameter: ${param}`, param);
  }
  const param = nameOf(issue.path);
  if (valueAt(body, issue.path) === undefined)
    throw refusal("parameter_missing", `Missing required param: ${param}.`, param);
  throw refusal("parameter_invalid", `Invalid ${param}`, param);
}

function refusal(code: string, message: string, param: string): StripeRefusal {
  return new StripeRefusal({ status: 400, code, message, param });
}

/** A parameter's name as Stripe writes it: `line_items[0][price]`. */
function nameOf([first, ...rest]: readonly PropertyKey[]): string {
  return [String(first), ...rest.map((part) => `[${String(part)}]`)].join("");
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined,
    body,
  );
}
