import type { SubmissionResult } from "@conform-to/dom";

import type { z } from "zod";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
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
  const { form, field } = serverForm<keyof z.input<typeof codeSchema>>({ id: "code", result });
  return (
    <PostForm form={form}>
      <Field field={field("code")} label={label} hint={hint} autoComplete="one-time-code" />
      <Button {...(intent ? { name: "intent", value: intent } : {})}>{submitLabel}</Button>
    </PostForm>
  );
}
