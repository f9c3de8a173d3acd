import type { SubmissionResult } from "@conform-to/dom";
import { getZodConstraint } from "@conform-to/zod/v4";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { FormErrors } from "~/components/ui/form-errors";
import { formAttributes, serverForm } from "~/components/ui/server-form";
import { changePasswordSchema } from "~/services/auth/account-forms";

/** Changes the password of a user who knows the current one. */
export function PasswordForm({ result }: { result: SubmissionResult<string[]> | undefined }) {
  const t = useTranslations();
  const { form, field } = serverForm<keyof z.input<typeof changePasswordSchema>>({
    id: "password",
    result,
    constraint: getZodConstraint(changePasswordSchema),
  });
  return (
    <form method="post" {...formAttributes(form)} className="card-form">
      <FormErrors form={form} />
      <Field
        field={field("currentPassword")}
        label={t("security.currentPassword")}
        type="password"
        autoComplete="current-password"
      />
      <Field
        field={field("newPassword")}
        label={t("auth.newPassword")}
        hint={t("security.passwordHint")}
        type="password"
        autoComplete="new-password"
      />
      <Button name="intent" value="password">
        {t("security.changePassword")}
      </Button>
    </form>
  );
}
