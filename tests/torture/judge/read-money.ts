import { send } from "../world/http";
import type { World } from "../world/world";
import { readCreem } from "./creem-money";
import type { Money } from "./money";
import { readStripe } from "./stripe-money";

/** Everything that was paid so far, by the checkout and by the plan. */
export async function readMoney({ provider, standIns }: World): Promise<Money> {
  const control = new URL(standIns.controls[provider]);
  const { text } = await send({ port: Number(control.port), path: `${control.pathname}/state` });
  const state: unknown = JSON.parse(text);
  return provider === "stripe" ? readStripe(state) : readCreem(state);
}
