import { send } from "../world/http";
import { asForm, type Stage, settleEvents } from "./stage";

/** Presses a button of the provider's page. */
export async function press(url: string, fields: Record<string, string>): Promise<void> {
  const { port, pathname } = new URL(url);
  const body = new URLSearchParams(fields).toString();
  const path = pathname;
  const reply = await send({ port: Number(port), method: "POST", path, headers: asForm, body });
  if (reply.status >= 400) throw new Error(`the provider's page: ${reply.status} ${reply.text}`);
}

/** Pays at the provider's page, with a promotion code where the stand-in takes one. */
export async function pay(stage: Stage, url: string, code: string | null): Promise<void> {
  if (code && stage.world.provider === "stripe") await press(url, { intent: "apply_code", code });
  await press(url, { intent: "pay" });
  await settleEvents(stage);
}
