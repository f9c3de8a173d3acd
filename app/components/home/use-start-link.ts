import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { ACTIONS } from "~/catalog";
import type { ProductFacts } from "~/components/product-facts";

/** Returns the page's main action: the product, by way of signing up for a visitor. */
export function useStartLink(
  { imageCost, actions, hasFiles }: ProductFacts,
  isSignedIn: boolean,
): { href: string; text: string } {
  const t = useTranslations();
  const { locale } = useParams();
  const generator = `/${locale}/demo/image-generator`;
  const signUp = `/${locale}/sign-up`;
  if (imageCost !== null) {
    return isSignedIn
      ? { href: generator, text: t("home.openGenerator") }
      : {
          href: `${signUp}?${new URLSearchParams({ redirectTo: generator })}`,
          text: t("home.createFirst"),
        };
  }
  const [action] = actions;
  if (action)
    return { href: `/${locale}${ACTIONS[action].page}`, text: t(ACTIONS[action].startKey) };
  if (!isSignedIn) return { href: signUp, text: t("nav.signUp") };
  return hasFiles
    ? { href: `/${locale}/files`, text: t("home.openFiles") }
    : { href: `/${locale}/account`, text: t("home.openAccount") };
}
