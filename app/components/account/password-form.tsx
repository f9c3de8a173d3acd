import type { SubmissionResult } from "@conform-to/dom";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import { changePasswordSchema, firstPasswordSchema } from "~/services/auth/account-forms";
import { fieldConstraints } from "~/utils/field-constraints";

interface PasswordFormProps {
  result: SubmissionResult<string[]> | undefined;
  /** An account that signs in otherwise has none to give. */
  hasPassword: boolean;
}

/** Changes the password of a user who knows the current one, or sets the first. */
export function PasswordForm({ result, hasPassword }: PasswordFormProps) {
  const t = useTranslations();
  const { form, field } = serverForm<keyof z.input<typeof changePasswordSchema>>({
    id: "password",
    result,
    constraint: fieldConstraints(hasPassword ? changePasswordSchema : firstPasswordSchema),
  });
  return (
    <PostForm form={form}>
      {hasPassword ? null : <p>{t("security.noPassword")}</p>}
      {hasPassword ? (
        <Field
          field={field("currentPassword")}
          label={t("security.currentPassword")}
          type="password"
          autoComplete="current-password"
        />
      ) : null}
      <Field
        field={field("newPassword")}
        label={t("auth.newPassword")}
        hint={t("security.passwordHint")}
        type="password"
        autoComplete="new-password"
      />
      <Button name="intent" value={hasPassword ? "password" : "setPassword"}>
        {hasPassword ? t("security.changePassword") : t("security.setPassword")}
      </Button>
    </PostForm>
  );
}
