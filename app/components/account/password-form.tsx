import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { useZodForm } from "~/components/use-zod-form";
import { changePasswordSchema } from "~/services/auth/account-forms";

/** Changes the password of a user who knows the current one. */
export function PasswordForm({ result }: { result: SubmissionResult<string[]> | undefined }) {
  const t = useTranslations();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useZodForm({ id: "password", schema: changePasswordSchema, result });
  return (
    <Form method="post" {...getFormProps(form)} className="grid max-w-form gap-5">
      <FormErrors form={form} />
      <Field
        field={fields.currentPassword}
        label={t("security.currentPassword")}
        type="password"
        autoComplete="current-password"
      />
      <Field
        field={fields.newPassword}
        label={t("auth.newPassword")}
        hint={t("security.passwordHint")}
        type="password"
        autoComplete="new-password"
      />
      <Button name="intent" value="password" disabled={busy}>
        {busy ? t("form.sending") : t("security.changePassword")}
      </Button>
    </Form>
  );
}
