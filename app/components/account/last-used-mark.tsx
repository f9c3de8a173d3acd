import { useTranslations } from "use-intl";
import type { SignInWay } from "~/services/auth/sign-in-ways";

interface LastUsedMarkProps {
  way: SignInWay;
  /** How this browser signed in last; null if it never did. */
  lastWay: SignInWay | null;
}

/** Marks the way of signing in that this browser used last. */
export function LastUsedMark({ way, lastWay }: LastUsedMarkProps) {
  const t = useTranslations();
  if (way !== lastWay) return null;
  return <span className="text-14 text-ink-2">{t("signIn.lastUsed")}</span>;
}
