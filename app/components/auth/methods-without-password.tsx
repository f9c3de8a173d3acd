import type { ReactNode } from "react";
import { useTranslations } from "use-intl";

interface MethodsWithoutPasswordProps {
  /** Without any, passkeys are the only other way, and they need JavaScript. */
  hasProviders: boolean;
  children: ReactNode;
}

/** Buttons for the ways that need no password here, and the line that parts them from the form. */
export function MethodsWithoutPassword({ hasProviders, children }: MethodsWithoutPasswordProps) {
  const t = useTranslations();
  return (
    <div className={hasProviders ? "stack" : "needs-passkeys ways-without-password"}>
      <div className="stack stack-3">{children}</div>
      <p className="or">
        <span>{t("signIn.orByEmail")}</span>
      </p>
    </div>
  );
}
