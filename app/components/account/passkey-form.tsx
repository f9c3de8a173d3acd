import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { PlainScript } from "~/components/plain-script";
import { Button } from "~/components/ui/button";
import type { PasskeyPurpose } from "~/services/auth/passkey-response";

interface PasskeyFormProps {
  purpose: PasskeyPurpose;
  /** The page that checks the response. */
  action: string;
  label: ReactNode;
  look?: "primary" | "secondary";
  /** As wide and as high as the buttons of other ways to sign in. */
  isWide?: boolean;
  /** Where a person who has to confirm who they are is sent. */
  confirm?: string;
  /** Hidden fields. */
  children?: ReactNode;
}

/**
 * A button that asks the browser for a passkey. It shows only once `public/passkeys.js` runs in a
 * browser that has passkeys.
 */
export function PasskeyForm(props: PasskeyFormProps) {
  const { purpose, action, label, look = "primary", isWide = false, confirm, children } = props;
  const t = useTranslations();
  const errors = [
    { name: "cancelled", text: t("passkeys.cancelled") },
    { name: "exists", text: t("passkeys.exists") },
    { name: "failed", text: t("validation.passkeyRefused") },
  ];
  return (
    <form
      method="post"
      action={action}
      data-passkey={purpose}
      data-confirm={confirm}
      className="needs-passkeys"
    >
      {errors.map(({ name, text }) => (
        <p key={name} data-passkey-error={name} hidden role="alert" className="text-bad-ink">
          {text}
        </p>
      ))}
      <input type="hidden" name="response" />
      {children}
      {isWide ? (
        <Button look={look} size="large" wide className="auth-button">
          {label}
        </Button>
      ) : (
        <Button look={look} className="justify-self-start">
          {label}
        </Button>
      )}
      <PlainScript src="/passkeys.js" />
    </form>
  );
}
