import { PACKS } from "~/catalog";
import { wantedItemPath } from "~/services/payments/wanted-item";
import type { SeededAccount } from "./seed-account";

/** The page that leads to the checkout of a pack. */
const PACK_PAGE = wantedItemPath("en", { intent: "pack", skuKey: PACKS[0].skuKey });

/** Nobody is signed in; the account with a history; a new account; somebody of ADMIN_EMAILS. */
export const VISITORS = ["nobody", "busy", "empty", "admin"] as const;
export type Visitor = (typeof VISITORS)[number];

export interface ShownPage {
  /** Names the page in options and files. */
  name: string;
  visitor: Visitor;
  /** Follows the language. */
  path: string;
}

/** Every page, by its address and never by its texts. */
export function listPages(seeded: SeededAccount): ShownPage[] {
  const as = (visitor: Visitor, pages: Record<string, string>): ShownPage[] =>
    Object.entries(pages).map(([name, path]) => ({ name, visitor, path }));
  return [
    ...as("nobody", {
      home: "",
      pricing: "/pricing",
      "sign-in": "/sign-in",
      "sign-up": "/sign-up",
      "sign-in-passkey": "/sign-in/passkey",
      "sign-in-link": "/sign-in-link",
      "forgot-password": "/forgot-password",
      "forgot-password-sent": "/forgot-password?sent",
      "reset-password": "/reset-password?token=x",
      "verify-email": "/verify-email?token=x",
      terms: "/terms",
      privacy: "/privacy",
      refunds: "/refunds",
      "not-found": "/nowhere",
      "checkout-cancelled": "/checkout/cancelled",
      "sign-up-to-buy": `/sign-up?${new URLSearchParams({ redirectTo: PACK_PAGE })}`,
      "create-visitor": "/demo/image-generator",
      "text-visitor": "/demo/text-generator",
    }),
    ...as("busy", {
      "pricing-member": "/pricing",
      create: "/demo/image-generator",
      "create-done": `/demo/image-generator?generation=${seeded.generationId}`,
      "create-failed": `/demo/image-generator?generation=${seeded.failedGenerationId}`,
      text: "/demo/text-generator",
      files: "/files",
      account: "/account",
      credits: "/account/credits",
      usage: "/account/usage",
      billing: "/account/billing",
      "billing-cancel": `/account/billing/cancel?subscription=${seeded.subscriptionId}`,
      "billing-change": "/account/billing/change",
      "billing-resume": `/account/billing/resume?subscription=${seeded.subscriptionId}`,
      order: `/account/orders/${seeded.orderId}`,
      profile: "/account/profile",
      email: "/account/email",
      security: "/account/security",
      "security-passkeys": "/account/security/passkeys",
      "api-keys": "/account/api-keys",
      limits: "/account/limits",
      "top-up": "/account/billing/top-up",
      "security-totp": "/account/security/totp",
      confirm: "/account/confirm",
      data: "/account/data",
      "image-access": "/account/images",
      delete: "/account/delete",
      "checkout-success": `/checkout/success?session_id=${seeded.checkoutId}`,
    }),
    ...as("empty", {
      "create-empty": "/demo/image-generator",
      "checkout-start": PACK_PAGE.slice("/en".length),
      "files-empty": "/files",
      "account-empty": "/account",
      "credits-empty": "/account/credits",
      "usage-empty": "/account/usage",
      "billing-empty": "/account/billing",
    }),
    ...as("admin", {
      admin: "/admin",
      "admin-found": `/admin?q=${seeded.userId}`,
      "admin-key-refused": "/admin?refused=key",
      "admin-user": `/admin/users/${seeded.userId}`,
      "admin-content": `/admin/users/${seeded.userId}/content`,
      "admin-adjust": `/admin/users/${seeded.userId}/act?do=adjust`,
      "admin-end": `/admin/users/${seeded.userId}/act?do=end_subscription&target=${seeded.subscriptionId}`,
      "admin-figures": "/admin/figures",
    }),
  ];
}
