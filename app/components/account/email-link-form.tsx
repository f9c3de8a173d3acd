import type { SubmissionResult } from "@conform-to/dom";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { type FieldConstraints, serverForm } from "~/components/ui/server-form";

interface EmailLinkFormProps {
  id: string;
  result: SubmissionResult<string[]> | undefined;
  constraint?: FieldConstraints;
  hint?: string;
  submitLabel: string;
  /** Hidden fields, and what keeps bots out. */
  children?: ReactNode;
}

/** Asks for the email address that a link is sent to. */
export function EmailLinkForm(props: EmailLinkFormProps) {
  const { id, result, constraint = {}, hint, submitLabel, children } = props;
  const t = useTranslations();
  const { form, field } = serverForm<"email">({ id, result, constraint });
  return (
    <PostForm form={form} className="stack">
      <Field
        field={field("email")}
        label={t("auth.email")}
        {...(hint ? { hint } : {})}
        type="email"
        autoComplete="email"
      />
      {children}
      <Button size="large" wide>
        {submitLabel}
      </Button>
    </PostForm>
  );
}
