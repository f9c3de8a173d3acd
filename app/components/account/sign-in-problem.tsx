import { useTranslations } from "use-intl";
import { Notice } from "~/components/ui/notice";

/** Why a sign-in that lacked its code has to start over, as the page's address says. */
export function SignInProblem({ done }: { done: string | null }) {
  const t = useTranslations();
  if (done === "codeExpired") return <Notice tone="warn">{t("signInCode.expired")}</Notice>;
  if (done === "disabled") return <Notice tone="bad">{t("validation.accountDisabled")}</Notice>;
  return null;
}
