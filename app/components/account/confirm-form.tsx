import type { SubmissionResult } from "@conform-to/dom";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import type { confirmIdentitySchema } from "~/services/auth/account-forms";

interface ConfirmFormProps {
  result: SubmissionResult<string[]> | undefined;
  redirectTo: string | undefined;
  /** The proofs that the account has to give. */
  proofs: { password: boolean; code: boolean };
  /** Further hidden fields. */
  children?: ReactNode;
}

/** Confirms by the account's password, its app's code, or both. */
export function ConfirmForm({ result, redirectTo, proofs, children }: ConfirmFormProps) {
  const t = useTranslations();
  const { form, field } = serverForm<keyof z.input<typeof confirmIdentitySchema>>({
    id: "confirm-identity",
    result,
  });
  return (
    <PostForm form={form} className="stack max-w-form">
      {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
      {children}
      {proofs.password ? (
        <Field
          field={field("currentPassword")}
          label={t("security.currentPassword")}
          type="password"
          autoComplete="current-password"
        />
      ) : null}
      {proofs.code ? (
        <Field
          field={field("code")}
          label={t("signInCode.code")}
          hint={t("signInCode.hint")}
          autoComplete="one-time-code"
        />
      ) : null}
      <Button>{t("confirmIdentity.submit")}</Button>
    </PostForm>
  );
}
