import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { NarrowPage } from "~/components/narrow-page";
import { Button } from "~/components/ui/button";

interface EmailLinkSentProps {
  /** The address that the visitor typed; null if it isn't known any more. */
  email: string | null;
  /** Says that a link comes if the address has an account. */
  lead: ReactNode;
  /** The page with the form. */
  formPath: string;
  redirectTo: string | undefined;
}

/** Says where the link went, and sends it again. It says the same for every address. */
export function EmailLinkSent({ email, lead, formPath, redirectTo }: EmailLinkSentProps) {
  const t = useTranslations();
  return (
    <NarrowPage
      title={t("emailLinkSent.title")}
      lead={<span className="wrap-anywhere">{lead}</span>}
      after={
        <p className="center">
          <a href={formPath} className="link-24">
            {t("emailLinkSent.other")}
          </a>
        </p>
      }
    >
      {email ? (
        <form method="post" action={formPath} className="stack">
          <input type="hidden" name="email" value={email} />
          {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
          <Button look="secondary" size="large" wide>
            {t("emailLinkSent.again")}
          </Button>
        </form>
      ) : null}
    </NarrowPage>
  );
}
