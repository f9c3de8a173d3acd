import type { SubmissionResult } from "@conform-to/dom";
import { getZodConstraint } from "@conform-to/zod/v4";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { FormErrors } from "~/components/ui/form-errors";
import { formAttributes, serverForm } from "~/components/ui/server-form";
import { firstPasswordSchema } from "~/services/auth/account-forms";

/** Sets the first password of an account that signs in otherwise. */
export function FirstPasswordForm({ result }: { result: SubmissionResult<string[]> | undefined }) {
  const t = useTranslations();
  const { form, field } = serverForm<keyof z.input<typeof firstPasswordSchema>>({
    id: "password",
    result,
    constraint: getZodConstraint(firstPasswordSchema),
  });
  return (
    <form method="post" {...formAttributes(form)} className="card-form">
      <p>{t("security.noPassword")}</p>
      <FormErrors form={form} />
      <Field
        field={field("newPassword")}
        label={t("auth.newPassword")}
        hint={t("security.passwordHint")}
        type="password"
        autoComplete="new-password"
      />
      <Button name="intent" value="setPassword">
        {t("security.setPassword")}
      </Button>
    </form>
  );
}
