import { getFormProps, getInputProps, type SubmissionResult, useForm } from "@conform-to/react";
import { getZodConstraint, parseWithZod } from "@conform-to/zod/v4";
import { Form, useNavigation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/button";
import { Field } from "~/components/field";
import { Notice } from "~/components/notice";
import { useMessage } from "~/i18n/use-message";
import type { credentialsSchema } from "~/services/auth/credentials";

interface CredentialsFormProps {
  schema: typeof credentialsSchema;
  result: SubmissionResult<string[]> | undefined;
  redirectTo: string | undefined;
  submitLabel: string;
  passwordHint?: string;
  newPassword: boolean;
}

/** E-mail and password, for signing up and signing in. */
export function CredentialsForm(props: CredentialsFormProps) {
  const t = useTranslations();
  const message = useMessage();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useForm<z.input<typeof credentialsSchema>>({
    id: "credentials",
    lastResult: props.result ?? null,
    defaultValue: { redirectTo: props.redirectTo },
    constraint: getZodConstraint(props.schema),
    onValidate: ({ formData }) => parseWithZod(formData, { schema: props.schema }),
    shouldValidate: "onBlur",
    shouldRevalidate: "onInput",
    defaultNoValidate: false,
  });
  const { key, ...redirectTo } = getInputProps(fields.redirectTo, { type: "hidden" });
  return (
    <Form method="post" {...getFormProps(form)} className="grid max-w-form gap-5">
      {form.errors ? (
        <div id={form.errorId}>
          <Notice tone="danger">{form.errors.map(message).join(" ")}</Notice>
        </div>
      ) : null}
      <Field field={fields.email} label={t("auth.email")} type="email" autoComplete="email" />
      <Field
        field={fields.password}
        label={t("auth.password")}
        type="password"
        autoComplete={props.newPassword ? "new-password" : "current-password"}
        {...(props.passwordHint ? { hint: props.passwordHint } : {})}
      />
      <input key={key} {...redirectTo} />
      <Button disabled={busy}>{busy ? t("form.sending") : props.submitLabel}</Button>
    </Form>
  );
}
