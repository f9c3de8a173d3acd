const PREFIX = "topup:";

/** What stands for the checkout in a top-up's order, since it has none at the provider. */
export const topUpCheckoutId = (topUpId: string): string => PREFIX + topUpId;

export const isTopUpCheckout = (checkoutId: string): boolean => checkoutId.startsWith(PREFIX);
