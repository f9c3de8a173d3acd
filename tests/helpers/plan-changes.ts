import type { Person } from "./client";
import type { PaymentServerUnderTest } from "./with-payment-server";

export interface Subscriber {
  person: Person;
  /** Ours. */
  id: string;
  /** Stripe's. */
  sub: string;
  customer: string;
  path: string;
}

/** Steps of tests about changing a plan at Stripe. */
export function planChangesAt(app: PaymentServerUnderTest) {
  /** A user with a running subscription, all of whose webhooks have arrived. */
  async function subscriber(plan: { planKey?: string; period?: string } = {}): Promise<Subscriber> {
    const { person, webhooks } = await app.buy("plan", plan);
    for (const webhook of webhooks) await app.deliver(webhook);
    const [row] = await app.sql<{ id: string; sub: string; customer: string }>(
      `SELECT s.id, provider_subscription_id AS sub, provider_customer_id AS customer
       FROM subscriptions s JOIN users u ON u.id = user_id WHERE email = $1`,
      [person.email],
    );
    const { id = "", sub = "", customer = "" } = row ?? {};
    return { person, id, sub, customer, path: `/en/account/billing/change?subscription=${id}` };
  }

  const read = async (person: Person, path: string) => (await person.fetch(path)).text();

  /** Opens the preview of a plan and returns the fields of its form. */
  async function previewOf({ person, path }: Subscriber, plan: string, period: string) {
    const html = await read(person, `${path}&plan=${plan}&period=${period}`);
    const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const form = Object.fromEntries(fields.map(([, name, value]) => [name, value]));
    return { html, form: { ...form, intent: "change" } as Record<string, string> };
  }

  /** The plan, and what is planned, as they are stored. */
  async function storedPlan({ id }: Subscriber): Promise<string> {
    const [row] = await app.sql<{ plan: string }>(
      `SELECT concat_ws(' ', plan_key, period, scheduled_plan_key, scheduled_period) AS plan
       FROM subscriptions WHERE id = $1`,
      [id],
    );
    return row?.plan ?? "";
  }

  async function invoicesOf({ sub }: Subscriber): Promise<number> {
    const { body } = await app.control("stripe", "GET", "/state");
    const { invoices } = body as { invoices: Record<string, { subscription: string }> };
    return Object.values(invoices).filter(({ subscription }) => subscription === sub).length;
  }

  async function deliverAll(happen: () => Promise<unknown>): Promise<void> {
    for (const webhook of await app.hold(happen)) await app.deliver(webhook);
  }

  const switchedPage = ({ id }: { id: string }) =>
    `/en/account/billing/switched?subscription=${id}`;

  return { subscriber, read, previewOf, storedPlan, invoicesOf, deliverAll, switchedPage };
}
