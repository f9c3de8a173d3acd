import type { SubmissionResult } from "@conform-to/dom";
import { getZodConstraint } from "@conform-to/zod/v4";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/button";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { formAttributes, serverForm } from "~/components/server-form";
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
    <form method="post" {...formAttributes(form)} className="grid max-w-form gap-5">
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
