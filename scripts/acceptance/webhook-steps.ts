import type { PaymentProviderName, PaymentsEnv, ProviderSettings } from "~/env/payments";
import { signAsCreem, signAsStripe } from "../lib/sign-delivery";
import { type Acceptance, demand, type Evidence } from "./step";

const PATH = "/api/payments/webhook";

/** Checks that the endpoint is reachable, doesn't redirect and refuses unsigned deliveries. */
export async function checkEndpoint({ site, client }: Acceptance): Promise<[string, Evidence]> {
  const unsigned = await client.send("POST", PATH, {
    body: "{}",
    headers: { "Content-Type": "application/json" },
  });
  demand(
    unsigned.status < 300 || unsigned.status > 399,
    `${PATH} redirects to ${unsigned.headers.get("Location")}: providers count that as a failure`,
  );
  demand(
    unsigned.status === 400 && unsigned.body.code === "invalid_signature",
    `an unsigned POST returned ${unsigned.status} ${unsigned.body.code ?? ""} instead of 400 invalid_signature`,
  );
  const read = await client.send("GET", PATH);
  demand(read.status === 405, `a GET returned ${read.status} instead of 405`);
  return [
    `${site.protocol}//${site.host}${PATH} is reachable and refuses unsigned deliveries`,
    { unsignedPost: unsigned.status, get: read.status },
  ];
}

/** Returns the stored event of the checkout. */
export async function findCheckoutDelivery(
  { db, records, startedAt }: Acceptance,
  checkoutId: string,
) {
  const [row] = await db.$queryRaw<StoredEvent[]>`
    SELECT id, dedupe_key AS "dedupeKey", event_type AS type, status::text AS status, payload,
      processed_at AS "processedAt", attempts
    FROM webhook_inbox
    WHERE provider = ${records.name} AND received_at >= ${startedAt}
      AND event_type IN ('checkout.session.completed', 'checkout.completed')
      AND position(convert_to(${checkoutId}, 'UTF8') IN payload) > 0`;
  return row ?? null;
}

interface StoredEvent {
  id: string;
  dedupeKey: string;
  type: string;
  status: string;
  payload: Uint8Array;
  processedAt: Date | null;
  attempts: number;
}

/** Sends the same bytes again with a new signature, as a provider would. */
export async function checkReplay(
  acceptance: Acceptance,
  checkoutId: string,
): Promise<[string, Evidence]> {
  const { client, db, payments } = acceptance;
  const stored = await findCheckoutDelivery(acceptance, checkoutId);
  demand(stored, "the checkout's event is no longer in the inbox");
  const before = await countRows(acceptance);
  const text = new TextDecoder().decode(stored.payload);
  const response = await client.send("POST", PATH, {
    body: text,
    headers: { "Content-Type": "application/json", ...sign(text, payments) },
  });
  demand(
    response.status !== 400,
    `the replay returned 400 ${response.body.code ?? ""}: the webhook secret here is not the deployment's`,
  );
  demand(
    response.status === 200 && response.body.deduped === true,
    `the replay returned ${response.status} ${JSON.stringify(response.body)} instead of 200 {"deduped":true}`,
  );
  const after = await countRows(acceptance);
  demand(
    JSON.stringify(after) === JSON.stringify(before),
    `the replay left rows behind: ${JSON.stringify(before)} before, ${JSON.stringify(after)} after`,
  );
  const again = await db.webhookDelivery.findUnique({
    where: { id: stored.id },
    select: { attempts: true },
  });
  demand(again?.attempts === stored.attempts, "the replay counted as another attempt at the event");
  return [
    "the repeated event returned deduped and had no effect",
    { status: 200, deduped: true, ...after },
  ];
}

/** The buyer belongs to this run alone, so nobody else's purchase counts. */
async function countRows({ db, userId }: Acceptance) {
  const [orders, ledgerRows] = await Promise.all([
    db.order.count({ where: { userId } }),
    db.creditTransaction.count({ where: { userId } }),
  ]);
  return { orders, ledgerRows };
}

function sign(text: string, { provider, ...settings }: PaymentsEnv): Record<string, string> {
  return provider ? SIGN[provider](text, settings) : {};
}

const SIGN: Record<
  PaymentProviderName,
  (text: string, settings: ProviderSettings) => Record<string, string>
> = {
  stripe: (text, { stripe }) => signAsStripe(stripe.webhookSecret ?? "")(text, new Date()),
  creem(text, { creem }) {
    const signature = signAsCreem(creem.webhookSecret ?? "")(text)["creem-signature"] ?? "";
    return { [creem.signatureHeader ?? "creem-signature"]: signature };
  },
};
