import { useTranslations } from "use-intl";
import { Badge } from "~/components/ui/badge";
import type { SignInWay } from "~/services/auth/sign-in-ways";

interface LastUsedMarkProps {
  way: SignInWay;
  /** How this browser signed in last; null if it never did. */
  lastWay: SignInWay | null;
}

/** Marks the way of signing in that this browser used last. Stands after the text of its button. */
export function LastUsedMark({ way, lastWay }: LastUsedMarkProps) {
  const t = useTranslations();
  if (way !== lastWay) return null;
  // Without the space the button would be named "Sign inLast used".
  return (
    <>
      {" "}
      <Badge>{t("signIn.lastUsed")}</Badge>
    </>
  );
}
