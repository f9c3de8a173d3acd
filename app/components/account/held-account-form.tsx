import type { SubmissionResult } from "@conform-to/dom";

import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import type { heldAccountSchema } from "~/services/auth/credentials";

/** Asks for the password of an account that waits for its mailed link. */
export function HeldAccountForm({ result }: { result: SubmissionResult<string[]> | undefined }) {
  const t = useTranslations();
  const { form, field } = serverForm<keyof z.input<typeof heldAccountSchema>>({
    id: "held-account",
    result,
  });
  return (
    <PostForm form={form} className="stack max-w-form">
      <Field
        field={field("password")}
        label={t("auth.password")}
        type="password"
        autoComplete="current-password"
      />
      <Button>{t("verifyEmail.submit")}</Button>
    </PostForm>
  );
}
