import { useLocation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ACTIONS } from "~/catalog";
import type { Features } from "~/components/frame/frame-data";
import type { IconName } from "~/components/ui/icon";
import type { Locale } from "~/i18n/locale";

export interface NavLink {
  href: string;
  text: string;
  icon: IconName;
  /** Whether the page shown is this one or below it. */
  isHere: boolean;
}

/** Returns the links to the product's pages and to the visitor's account. */
export function useNavLinks(locale: Locale, features: Features) {
  const t = useTranslations();
  const { pathname } = useLocation();
  const link = (path: string, text: string, icon: IconName): NavLink => {
    const href = `/${locale}${path}`;
    return { href, text, icon, isHere: pathname === href || pathname.startsWith(`${href}/`) };
  };
  const product = [
    ...(features.images ? [link(ACTIONS.image.page, t("nav.create"), "image")] : []),
    ...(features.text ? [link(ACTIONS.text.page, t("nav.write"), "doc")] : []),
    ...(features.storage ? [link("/files", t("nav.files"), "folder")] : []),
    ...(features.payments ? [link("/pricing", t("nav.pricing"), "tag")] : []),
  ];
  const billing = link("/account/billing", t("nav.billing"), "card");
  const account = link("/account", t("nav.account"), "user");
  return {
    product,
    account: [
      { ...account, isHere: account.isHere && !billing.isHere },
      ...(features.payments ? [billing] : []),
    ],
    admin: link("/admin", t("nav.admin"), "wrench"),
    credits: link("/account/credits", t("nav.credits"), "ledger"),
    signIn: link("/sign-in", t("nav.signIn"), "user"),
    signUp: link("/sign-up", t("nav.signUp"), "user"),
    legal: [
      link("/terms", t("nav.terms"), "doc"),
      link("/privacy", t("nav.privacy"), "doc"),
      link("/refunds", t("nav.refunds"), "doc"),
    ],
  };
}
