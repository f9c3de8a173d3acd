import { outgoingFetch } from "~/services/outgoing/outgoing-fetch.server";
import { poll } from "./poll";
import { type Acceptance, demand, type Evidence } from "./step";

/** Milliseconds until the provider shows the change and its event has arrived. */
const SETTLE_MS = 60_000;

/** Cancels on the site. The provider must have it scheduled, and the row must show it. */
export async function checkCancellation(
  acceptance: Acceptance,
  subscriptionId: string,
): Promise<[string, Evidence]> {
  const { client, db, records } = acceptance;
  const find = () =>
    db.subscription.findUniqueOrThrow({
      where: { id: subscriptionId },
      select: {
        providerSubscriptionId: true,
        cancelAtPeriodEnd: true,
        status: true,
        currentPeriodEnd: true,
      },
    });
  const before = await find();
  const response = await client.json("/api/payments/subscription/cancel", { subscriptionId });
  demand(
    response.status === 200 && response.body.cancelAtPeriodEnd === true,
    `the cancellation returned ${response.status} ${response.body.code ?? ""}`,
  );
  const there = await poll(
    async () => {
      const found = await findAtProvider(acceptance, before.providerSubscriptionId);
      return found?.cancelAtPeriodEnd ? found : null;
    },
    { withinMs: SETTLE_MS, otherwise: `${records.name} does not show it scheduled` },
  );
  demand(there.status !== "canceled", `${records.name} ended it at once`);
  const row = await find();
  demand(row.cancelAtPeriodEnd, "the row does not show that it ends with its period");
  demand(row.status === before.status, `its status went from ${before.status} to ${row.status}`);
  return [
    `it ends with its period, there and here, and is ${row.status} until then`,
    {
      atProvider: true,
      inRow: true,
      status: row.status,
      endsAt: row.currentPeriodEnd?.toISOString() ?? null,
    },
  ];
}

async function findAtProvider({ records }: Acceptance, id: string) {
  for await (const page of records.listSubscriptions())
    for (const event of page)
      if (event.kind === "subscription_changed" && event.providerSubscriptionId === id)
        return event;
  return null;
}

/** Checks that the link to the provider's portal works. */
export async function checkPortal({ client }: Acceptance): Promise<[string, Evidence]> {
  const { status, body } = await client.json("/api/payments/portal", {});
  demand(status === 200, `the portal returned ${status} ${body.code ?? ""}`);
  const url = new URL(String(body.url));
  const page = await outgoingFetch("portal")(url, { redirect: "manual" });
  demand(page.status < 400, `the portal's page at ${url.host} returned ${page.status}`);
  // The link signs its holder in, so it stays out of the evidence.
  return [`the portal at ${url.host} opens`, { host: url.host, status: page.status }];
}
