import type { SubmissionResult } from "@conform-to/dom";
import { useTranslations } from "use-intl";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import { lowBalanceSchema } from "~/services/auth/account-forms";
import { fieldConstraints } from "~/utils/field-constraints";

interface LowBalanceProps {
  /** In credits; null while no email is wanted. */
  lowBalance: number | null;
  /** The person turned these emails off, in their profile or by a link. */
  isMuted: boolean;
  result: SubmissionResult<string[]> | undefined;
}

/** The form that asks for an email before the credits are gone. */
export function LowBalance({ lowBalance, isMuted, result }: LowBalanceProps) {
  const t = useTranslations();
  const { form, field } = serverForm<"lowBalance">({
    id: "low-balance",
    result,
    constraint: fieldConstraints(lowBalanceSchema),
    defaultValue: { lowBalance: lowBalance === null ? undefined : String(lowBalance) },
  });
  return (
    <Card id="low-balance" title={t("limits.lowTitle")}>
      <PostForm form={form}>
        <p>{t("limits.lowLead")}</p>
        {lowBalance !== null && isMuted ? <p>{t("limits.lowMuted")}</p> : null}
        <Field
          field={field("lowBalance")}
          label={t("limits.lowLabel")}
          hint={t("limits.lowHint")}
        />
        <Button look="secondary" name="intent" value="low-balance">
          {t("limits.lowSave")}
        </Button>
      </PostForm>
    </Card>
  );
}
