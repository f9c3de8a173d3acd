import type { Operation, Site } from "../plan/operations";
import { arrive } from "./deliveries";
import { signIn } from "./entering";
import { must } from "./fault";
import { forget, type Person } from "./person";
import { press } from "./press";
import { asForm, ask, headersOf, type Stage } from "./stage";

const PAGE = "/en/account/billing/top-up";

/** Has a card kept, which is charged for a pack when a spend goes below the mark. */
export async function agreeToTopUp(
  stage: Stage,
  person: Person,
  { mark, packs, card, arrival, at }: Operation & { do: "top up" },
): Promise<void> {
  const [pack] = stage.sold.packs;
  if (!pack) return;
  if (stage.world.provider === "creem") return findNoTopUp(stage, person, at);
  // Power over a card needs a fresh proof.
  await signIn(stage, person);
  const headers = headersOf(person);
  const page = await ask(stage, { at, path: PAGE, headers }, person);
  const [, shown = ""] = /name="shown" value="([^"]*)"/.exec(page.text) ?? [];
  const most = packs * pack.amount;
  const fields = new URLSearchParams({
    ...{ intent: "card", threshold: String(mark), skuKey: pack.skuKey, shown },
    monthlyAmount: (most / 100).toFixed(2),
  });
  const asked = { at, method: "POST", path: PAGE, headers: { ...headers, ...asForm } };
  const reply = await ask(stage, { ...asked, body: fields.toString() }, person);
  const url = String(reply.headers.location);
  must(
    reply.status === 303 && url.includes("/c/setup/"),
    `a page for a card is answered by ${reply.status} ${url}`,
  );
  person.mostPerMonth = Math.max(person.mostPerMonth, most);
  forget(person);
  stage.count("top-up: agreed");
  await press(url, { card });
  await arrive(stage, person, arrival, { at, order: person.steps });
}

/** Creem keeps no cards for others: the page isn't there. That nobody is charged is judged with all payments. */
async function findNoTopUp(stage: Stage, person: Person, at: Site): Promise<void> {
  const page = await ask(stage, { at, path: PAGE, headers: headersOf(person) }, person);
  must(page.status === 404, `a page for kept cards at Creem is answered by ${page.status}`);
  stage.count("top-up: not at this provider");
}
