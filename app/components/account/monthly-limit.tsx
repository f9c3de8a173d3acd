import type { SubmissionResult } from "@conform-to/dom";
import { useTranslations } from "use-intl";
import { LimitUse } from "~/components/account/limit-use";
import { Time } from "~/components/time";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import { limitsSchema } from "~/services/auth/account-forms";
import { fieldConstraints } from "~/utils/field-constraints";

interface MonthlyLimitProps {
  /** In credits; null for none. */
  limit: number | null;
  used: number;
  resetsAt: Date;
  result: SubmissionResult<string[]> | undefined;
}

/** The account's monthly limit: how much of it is used, and the form that sets it. */
export function MonthlyLimit({ limit, used, resetsAt, result }: MonthlyLimitProps) {
  const t = useTranslations();
  const { form, field } = serverForm<"monthlyLimit">({
    id: "limits",
    result,
    constraint: fieldConstraints(limitsSchema),
    defaultValue: { monthlyLimit: limit === null ? undefined : String(limit) },
  });
  return (
    <Card id="monthly" title={t("limits.monthlyTitle")}>
      <PostForm form={form}>
        <LimitUse limit={limit} used={used} />
        <p>
          {limit === null ? t("limits.usedFree", { used }) : t("limits.usedOf", { used, limit })}{" "}
          {t("limits.resets")} <Time at={resetsAt} />
        </p>
        <Field
          field={field("monthlyLimit")}
          label={t("apiKeys.monthlyLimit")}
          hint={t("limits.monthlyHint")}
        />
        <Button>{t("limits.save")}</Button>
      </PostForm>
    </Card>
  );
}
