import { z } from "zod";
import { type Reply, send } from "../world/http";
import { asForm, asJson, orderAtProvider, type Stage } from "./stage";

// Plans as their provider has them. The stand-in itself is asked: the roads are the service's.

const SECOND = 1_000;

/** A plan as far as the next step depends on it. */
interface Standing {
  /** It renews, or ends with its period. Otherwise it has ended, or isn't paid. */
  isRunning: boolean;
  isUnpaid: boolean;
  /** It ends with its period. */
  ends: boolean;
  /** Milliseconds. */
  periodEnd: number;
}

const atStripe = z
  .object({
    status: z.string(),
    cancel_at: z.int().nullable(),
    items: z.object({ data: z.tuple([z.object({ current_period_end: z.int() })]) }),
  })
  .transform(
    ({ status, cancel_at, items }): Standing => ({
      isRunning: status === "active",
      isUnpaid: status === "past_due",
      ends: cancel_at !== null,
      periodEnd: items.data[0].current_period_end * SECOND,
    }),
  );

const atCreem = z
  .object({ status: z.string(), current_period_end_date: z.coerce.date() })
  .transform(
    ({ status, current_period_end_date: end }): Standing => ({
      isRunning: ["active", "scheduled_cancel"].includes(status),
      isUnpaid: status === "past_due",
      ends: status === "scheduled_cancel",
      periodEnd: end.getTime(),
    }),
  );

export async function findPlan(stage: Stage, id: string): Promise<Standing> {
  if (stage.world.provider === "creem") {
    const { text } = await askCreem(stage, `/v1/subscriptions?subscription_id=${id}`);
    return atCreem.parse(JSON.parse(text));
  }
  return atStripe.parse(JSON.parse((await askStripe(stage, `/v1/subscriptions/${id}`)).text));
}

/** The customer has it end with its period, or go on. */
export async function decideInPortal(
  stage: Stage,
  id: string,
  what: "end" | "keep",
): Promise<void> {
  if (what === "keep") await orderAtProvider(stage, `/subscriptions/${id}/keep`, {});
  else if (stage.world.provider === "stripe")
    await askStripe(stage, `/v1/subscriptions/${id}`, "cancel_at_period_end=true");
  else {
    const body = JSON.stringify({ mode: "scheduled", onExecute: "cancel" });
    await askCreem(stage, `/v1/subscriptions/${id}/cancel`, body);
  }
}

function askStripe({ world }: Stage, path: string, body?: string): Promise<Reply> {
  const { port } = new URL(world.standIns.controls.stripe);
  const headers = { ...asForm, Authorization: `Bearer ${world.env.PROVIDER_A_SECRET_KEY}` };
  return post({ port: Number(port), path, headers }, body);
}

function askCreem({ world }: Stage, path: string, body?: string): Promise<Reply> {
  const { port } = new URL(world.standIns.controls.creem);
  const headers = { ...asJson, "x-api-key": world.env.PROVIDER_B_API_KEY ?? "" };
  return post({ port: Number(port), path, headers }, body);
}

const post = (call: Parameters<typeof send>[0], body: string | undefined) =>
  send(body === undefined ? call : { ...call, method: "POST", body });
