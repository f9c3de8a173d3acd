import { z } from "zod";
import type { ProviderEvent } from "../world/stand-ins";
import type { Person } from "./person";
import type { Stage } from "./stage";

const charged = z.object({
  data: z.object({
    object: z.object({
      amount: z.int(),
      metadata: z.object({ top_up: z.string(), sku_key: z.string() }),
    }),
  }),
});

/** A kept card was charged: that is a sale. Nobody has told it yet. */
export function noteCharge(stage: Stage, person: Person, event: ProviderEvent): void {
  if (event.type !== "payment_intent.succeeded") return;
  const { success, data } = charged.safeParse(JSON.parse(event.body));
  if (!success) return;
  const { amount, metadata } = data.data.object;
  const sessionId = `topup:${metadata.top_up}`;
  if (person.sales.some((sale) => sale.sessionId === sessionId)) return;
  const pack = stage.sold.packs.findIndex(({ skuKey }) => skuKey === metadata.sku_key);
  person.sales.push({
    ...{ sessionId, pack, paid: amount },
    credits: stage.sold.packs[pack]?.credits ?? 0,
    ...{ isAbroad: false, isTold: false, mayBeTold: false, isLost: person.isGone },
    at: Date.now(),
  });
  stage.count("top-up: charged");
}

/** The sale of which an event tells, if it tells of any. */
export const saleOf = ({ sales }: Person, { type, body }: ProviderEvent) =>
  /^(checkout\.(session\.)?completed|payment_intent\.succeeded)$/.test(type)
    ? sales.find(({ sessionId }) => body.includes(sessionId.replace(/^topup:/, "")))
    : undefined;
