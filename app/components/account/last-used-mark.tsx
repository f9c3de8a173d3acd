import { useTranslations } from "use-intl";
import { Badge } from "~/components/ui/badge";
import type { SignInMethod } from "~/services/auth/sign-in-methods";

interface LastUsedMarkProps {
  way: SignInMethod;
  /** How this browser signed in last; null if it never did. */
  lastMethod: SignInMethod | null;
}

/** Marks the way of signing in that this browser used last. Stands after the text of its button. */
export function LastUsedMark({ way, lastMethod }: LastUsedMarkProps) {
  const t = useTranslations();
  if (way !== lastMethod) return null;
  // Without the space the button would be named "Sign inLast used".
  return (
    <>
      {" "}
      <Badge>{t("signIn.lastUsed")}</Badge>
    </>
  );
}
