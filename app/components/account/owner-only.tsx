import { useParams } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { StatePage } from "~/components/state-page";
import { Button, ButtonLink } from "~/components/ui/button";

interface OwnerOnlyProps {
  /** Who opened the mailed link: nobody signed in, or the wrong person. */
  state: "sign_in" | "other_account";
  title: string;
  lead: string;
  /** The query that leads back to the link's page after signing in. */
  comeBack: string;
}

/** The page of a mailed link that only its account may follow, for everybody else. */
export function OwnerOnly({ state, title, lead, comeBack }: OwnerOnlyProps) {
  const t = useTranslations();
  const { locale } = useParams();
  return (
    <StatePage art="email" title={title} lead={lead}>
      {state === "sign_in" ? (
        <ButtonLink href={`/${locale}/sign-in?${comeBack}`}>{t("nav.signIn")}</ButtonLink>
      ) : (
        <form method="post" action={`/${locale}/sign-out?${comeBack}`}>
          <Button>{t("verifyEmail.signOut")}</Button>
        </form>
      )}
    </StatePage>
  );
}
