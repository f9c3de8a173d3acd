import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { useZodForm } from "~/components/use-zod-form";
import { firstPasswordSchema } from "~/services/auth/account-forms";

/** Sets the first password of an account that signs in otherwise. */
export function FirstPasswordForm({ result }: { result: SubmissionResult<string[]> | undefined }) {
  const t = useTranslations();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useZodForm({ id: "password", schema: firstPasswordSchema, result });
  return (
    <Form method="post" {...getFormProps(form)} className="grid max-w-form gap-5">
      <p>{t("security.noPassword")}</p>
      <FormErrors form={form} />
      <Field
        field={fields.newPassword}
        label={t("auth.newPassword")}
        hint={t("security.passwordHint")}
        type="password"
        autoComplete="new-password"
      />
      <Button name="intent" value="setPassword" disabled={busy}>
        {busy ? t("form.sending") : t("security.setPassword")}
      </Button>
    </Form>
  );
}
