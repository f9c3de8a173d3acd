import { z } from "zod";
import { PACKS, PERIODS, PLANS } from "~/catalog";
import { invalid } from "~/i18n/validation-key";

/** The body of POST /api/payments/checkout. Whether the catalog has the pack is checked separately. */
export const packCheckoutSchema = z.object({
  skuKey: z
    .string(invalid("skuKeyInvalid"))
    .min(1, invalid("skuKeyInvalid"))
    .meta({ description: "A credit pack of the catalog.", example: PACKS[0].skuKey }),
});

/** The body of POST /api/payments/subscription/checkout. */
export const subscriptionCheckoutSchema = z.object({
  planKey: z
    .string(invalid("planKeyInvalid"))
    .min(1, invalid("planKeyInvalid"))
    .meta({ description: "A plan of the catalog.", example: PLANS[0].planKey }),
  period: z
    .enum(PERIODS, invalid("periodInvalid"))
    .meta({ description: "How often it is paid for. Credits come every month either way." }),
});

/** The fields of a Buy button. */
export const checkoutFormSchema = z.discriminatedUnion("intent", [
  packCheckoutSchema.extend({ intent: z.literal("pack") }),
  subscriptionCheckoutSchema.extend({ intent: z.literal("plan") }),
]);

export const CHECKOUT_FIELDS = ["intent", "skuKey", "planKey", "period"];

/** An item that somebody wants to buy. Whether it is for sale is checked separately. */
export type WantedItem = z.output<typeof checkoutFormSchema>;

/** The body of POST /api/payments/subscription/cancel and …/resume. */
export const ownSubscriptionSchema = z.object({
  subscriptionId: z
    .string(invalid("subscriptionIdInvalid"))
    .optional()
    .meta({ description: "Ours, not the provider's; the running one if left out." }),
});

/** The body of POST /api/payments/confirm: the parameters appended to the return URL, in that order. */
export const returnParametersSchema = z
  .record(
    z.string(),
    z.string(invalid("returnParametersInvalid")),
    invalid("returnParametersInvalid"),
  )
  .meta({ description: "The return parameters in their order, `signature` among them." });
