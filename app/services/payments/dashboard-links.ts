import type { PaymentProviderName } from "~/env/payments";

type DashboardThing = "customers" | "payments" | "subscriptions";

/**
 * The page of the provider's dashboard about a thing; null where the provider has no address by its id. `isLive`: with live
 * keys.
 */
export function dashboardLink(
  provider: PaymentProviderName,
  { thing, id, isLive }: { thing: DashboardThing; id: string; isLive: boolean },
): string | null {
  switch (provider) {
    case "stripe":
      return `https://dashboard.stripe.com/${isLive ? "" : "test/"}${thing}/${encodeURIComponent(id)}`;
    case "creem":
      return null;
  }
}
