import { checkoutFormSchema, type WantedItem } from "~/services/payments/checkout-request";

const PAGE = "/checkout/start";
const BASE = "http://internal.invalid";

/** Returns the address of the page that leads to the item's checkout. */
export function wantedItemPath(locale: string, item: WantedItem): string {
  return `/${locale}${PAGE}?${new URLSearchParams(item)}`;
}

/** Returns the item that a path on this site leads to; null for every other path. */
export function readWantedItem(path: string | undefined): WantedItem | null {
  const url = new URL(path ?? "/", BASE);
  if (url.origin !== BASE || !/^\/[a-z]{2}\/checkout\/start$/.test(url.pathname)) return null;
  return checkoutFormSchema.safeParse(Object.fromEntries(url.searchParams)).data ?? null;
}
