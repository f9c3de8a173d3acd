import { useLocation, useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { Notice } from "~/components/ui/notice";
import { SENT_AGAIN } from "~/utils/sent-again";

interface VerifyFirstProps {
  email: string;
  /** The page that the form leads back to. */
  returnTo: string;
  /** Says what the verified address is needed for. */
  children?: ReactNode;
}

/** Asks the signed-in person to verify their address, shows it, and sends the link again. */
export function VerifyFirst({ email, returnTo, children }: VerifyFirstProps) {
  const t = useTranslations();
  const { locale } = useParams();
  const sentAgain = new URLSearchParams(useLocation().search).has(SENT_AGAIN);
  return (
    <Notice tone="warn" title={t("verifyFirst.title")}>
      {children ? <p>{children}</p> : null}
      <p className="wrap-anywhere">
        {sentAgain ? t("verifyFirst.sentAgain", { email }) : t("verifyFirst.text", { email })}
      </p>
      <form method="post" action={`/${locale}/account/profile`} className="pt-2">
        <input type="hidden" name="redirectTo" value={returnTo} />
        <Button look="secondary" size="small" name="intent" value="verify">
          {t("verifyFirst.again")}
        </Button>
      </form>
    </Notice>
  );
}
