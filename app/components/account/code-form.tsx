import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/button";
import { Field } from "~/components/field";
import { FormErrors } from "~/components/form-errors";
import { useServerForm } from "~/components/use-server-form";
import type { codeSchema } from "~/services/auth/account-forms";

interface CodeFormProps {
  result: SubmissionResult<string[]> | undefined;
  label: string;
  hint: string;
  submitLabel: string;
  intent?: string;
}

/** Asks for the code of an authenticator app. */
export function CodeForm({ result, label, hint, submitLabel, intent }: CodeFormProps) {
  const t = useTranslations();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useServerForm<z.input<typeof codeSchema>>({ id: "code", result });
  return (
    <Form method="post" {...getFormProps(form)} className="grid max-w-form gap-5">
      <FormErrors form={form} />
      <Field
        field={fields.code}
        label={label}
        hint={hint}
        type="text"
        autoComplete="one-time-code"
      />
      <Button disabled={busy} {...(intent ? { name: "intent", value: intent } : {})}>
        {busy ? t("form.sending") : submitLabel}
      </Button>
    </Form>
  );
}
