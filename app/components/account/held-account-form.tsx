import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/button";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { useServerForm } from "~/components/use-server-form";
import type { heldAccountSchema } from "~/services/auth/credentials";

/** Asks for the password of an account that waits for its mailed link. */
export function HeldAccountForm({ result }: { result: SubmissionResult<string[]> | undefined }) {
  const t = useTranslations();
  const [form, fields] = useServerForm<z.input<typeof heldAccountSchema>>({
    id: "held-account",
    result,
  });
  return (
    <Form method="post" {...getFormProps(form)} className="grid max-w-form gap-5">
      <FormErrors form={form} />
      <Field
        field={fields.password}
        label={t("auth.password")}
        type="password"
        autoComplete="current-password"
      />
      <Button>{t("verifyEmail.submit")}</Button>
    </Form>
  );
}
