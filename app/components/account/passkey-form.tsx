import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { PlainScript } from "~/components/plain-script";
import type { PasskeyPurpose } from "~/services/auth/passkey-response";

interface PasskeyFormProps {
  purpose: PasskeyPurpose;
  /** The page that checks the answer. */
  action: string;
  label: string;
  look?: "primary" | "secondary";
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
  const { purpose, action, label, look = "primary", confirm, children } = props;
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
      className="hidden max-w-form gap-3 [html[data-passkeys]_&]:grid"
    >
      {errors.map(({ name, text }) => (
        <p key={name} data-passkey-error={name} hidden role="alert" className="text-danger">
          {text}
        </p>
      ))}
      <input type="hidden" name="response" />
      {children}
      <Button look={look} className="justify-self-start">
        {label}
      </Button>
      <PlainScript src="/passkeys.js" />
    </form>
  );
}
