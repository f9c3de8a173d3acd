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

/** A kept card was charged: that is a sale, from when it is told. */
export function noteCharge(stage: Stage, person: Person, event: ProviderEvent): void {
  if (event.type !== "payment_intent.succeeded") return;
  const { success, data } = charged.safeParse(JSON.parse(event.body));
  if (!success) return;
  const { amount, metadata } = data.data.object;
  const sessionId = `topup:${metadata.top_up}`;
  if (person.sales.some((sale) => sale.sessionId === sessionId)) return;
  const pack = stage.sold.packs.findIndex(({ skuKey }) => skuKey === metadata.sku_key);
  const credits = stage.sold.packs[pack]?.credits ?? 0;
  const isLost = person.isGone;
  person.sales.push({
    sessionId,
    pack,
    credits,
    paid: amount,
    isAbroad: false,
    isTold: true,
    isLost,
  });
  stage.count("top-up: charged");
}
