import { z } from "zod";
import type { PaymentsEnv } from "~/env/payments";
import { createStripeClient } from "~/services/payments/stripe/stripe-client.server";

/** The provider's own view of the objects that the adapter made there. */
export interface ProviderAccount {
  readCheckout(sessionId: string): Promise<{ isTest: boolean; metadata: unknown }>;
  /** Finds a customer to open the portal for; `forget` removes a customer made for it. */
  findCustomer(): Promise<{ customerId: string; forget(): Promise<void> }>;
}

export function openStripeAccount({ secretKey, apiBase }: PaymentsEnv["stripe"]): ProviderAccount {
  const stripe = createStripeClient({ secretKey: secretKey ?? "", apiBase });
  return {
    async readCheckout(sessionId) {
      const { livemode, metadata } = await stripe.checkout.sessions.retrieve(sessionId);
      return { isTest: !livemode, metadata };
    },
    async findCustomer() {
      const { id } = await stripe.customers.create({ email: "sandbox-test@example.com" });
      return { customerId: id, forget: async () => void (await stripe.customers.del(id)) };
    },
  };
}

const creemCheckout = z.object({ mode: z.string(), metadata: z.unknown() });
const creemCustomers = z.object({ items: z.array(z.object({ id: z.string() })) });

export function openCreemAccount({ apiKey, apiBase }: PaymentsEnv["creem"]): ProviderAccount {
  async function get<Schema extends z.ZodType>(path: string, schema: Schema) {
    const response = await fetch(`${apiBase}/v1${path}`, {
      headers: { "x-api-key": apiKey ?? "" },
      redirect: "error",
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`Creem GET ${path.split("?")[0]}: status ${response.status}`);
    return schema.parse(await response.json());
  }
  return {
    async readCheckout(sessionId) {
      const { mode, metadata } = await get(`/checkouts?checkout_id=${sessionId}`, creemCheckout);
      return { isTest: mode !== "prod", metadata };
    },
    /** Creem creates customers only for buyers who paid. */
    async findCustomer() {
      const { items } = await get("/customers/list?page_number=1&page_size=1", creemCustomers);
      const [customer] = items;
      if (!customer) {
        throw new Error(
          "this Creem test store has no customer yet: pay one test checkout with a test card, then run this again",
        );
      }
      return { customerId: customer.id, forget: async () => {} };
    },
  };
}
