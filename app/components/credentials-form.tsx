import type { SubmissionResult } from "@conform-to/dom";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import type { credentialsSchema } from "~/services/auth/credentials";
import { fieldConstraints } from "~/utils/field-constraints";

interface CredentialsFormProps {
  schema: typeof credentialsSchema;
  result: SubmissionResult<string[]> | undefined;
  redirectTo: string | undefined;
  submitLabel: string;
  passwordHint?: string;
  /** At the end of the password's label. */
  passwordAside?: ReactNode;
  newPassword: boolean;
  /** Keeps bots out; shown above the button. */
  botCheck?: ReactNode;
  /** The text below the button: pressing it accepts the terms. */
  note?: ReactNode;
  /** Shown in the button. */
  mark?: ReactNode;
}

/** Email and password, for sign-up and sign-in. */
export function CredentialsForm(props: CredentialsFormProps) {
  const t = useTranslations();
  const { form, field } = serverForm<keyof z.input<typeof credentialsSchema>>({
    id: "credentials",
    constraint: fieldConstraints(props.schema),
    result: props.result,
  });
  return (
    <PostForm form={form} className="stack">
      <Field
        field={field("email")}
        label={t("auth.email")}
        type="email"
        // Lets the browser offer passkeys at sign-in, too.
        autoComplete={props.newPassword ? "email" : "username webauthn"}
      />
      <Field
        field={field("password")}
        label={t("auth.password")}
        type="password"
        autoComplete={props.newPassword ? "new-password" : "current-password"}
        aside={props.passwordAside}
        {...(props.passwordHint ? { hint: props.passwordHint } : {})}
      />
      {props.redirectTo ? <input type="hidden" name="redirectTo" value={props.redirectTo} /> : null}
      {props.botCheck}
      <Button size="large" wide>
        {props.submitLabel}
        {props.mark}
      </Button>
      {props.note}
    </PostForm>
  );
}
