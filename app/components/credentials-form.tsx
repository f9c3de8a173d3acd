import { getFormProps, getInputProps, type SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { useZodForm } from "~/components/use-zod-form";
import type { credentialsSchema } from "~/services/auth/credentials";

interface CredentialsFormProps {
  schema: typeof credentialsSchema;
  result: SubmissionResult<string[]> | undefined;
  redirectTo: string | undefined;
  submitLabel: string;
  passwordHint?: string;
  newPassword: boolean;
  /** Keeps bots out; shown above the button. */
  botCheck?: ReactNode;
  /** Shown beside the button. */
  mark?: ReactNode;
}

/** Email and password, for sign-up and sign-in. */
export function CredentialsForm(props: CredentialsFormProps) {
  const t = useTranslations();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useZodForm({
    id: "credentials",
    schema: props.schema,
    result: props.result,
    defaultValue: { redirectTo: props.redirectTo },
  });
  const { key, ...redirectTo } = getInputProps(fields.redirectTo, { type: "hidden" });
  return (
    <Form method="post" {...getFormProps(form)} className="grid max-w-form gap-5">
      <FormErrors form={form} />
      <Field
        field={fields.email}
        label={t("auth.email")}
        type="email"
        // Lets the browser offer passkeys at sign-in, too.
        autoComplete={props.newPassword ? "email" : "username webauthn"}
      />
      <Field
        field={fields.password}
        label={t("auth.password")}
        type="password"
        autoComplete={props.newPassword ? "new-password" : "current-password"}
        {...(props.passwordHint ? { hint: props.passwordHint } : {})}
      />
      <input key={key} {...redirectTo} />
      {props.botCheck}
      <Button disabled={busy}>{busy ? t("form.sending") : props.submitLabel}</Button>
      {props.mark}
    </Form>
  );
}
