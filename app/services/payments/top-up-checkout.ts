const PREFIX = "topup:";

/** The id that takes the checkout's place in a top-up's order, since it has none at the provider. */
export const topUpCheckoutId = (topUpId: string): string => PREFIX + topUpId;

export const isTopUpCheckout = (checkoutId: string): boolean => checkoutId.startsWith(PREFIX);
