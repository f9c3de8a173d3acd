import type { SubmissionResult } from "@conform-to/dom";
import { useTranslations } from "use-intl";
import { CURRENCY } from "~/catalog";
import { providerName } from "~/components/billing/provider-name";
import type { ShownTopUp } from "~/components/billing/shown-top-up";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field, SelectField } from "~/components/ui/field";
import { PostForm } from "~/components/ui/post-form";
import { type FieldConstraints, serverForm } from "~/components/ui/server-form";
import { useMoney } from "~/components/use-money";
import { writeMonthlyAmount, writeShown } from "~/services/payments/top-up-form";

/** Asks for the pack, the threshold and the most per month, for the kept card or for one that is added next. */
export function TopUpForm({
  topUp: { packs, terms: agreed, wanted, card },
  constraint,
  result,
}: {
  topUp: ShownTopUp;
  constraint: FieldConstraints;
  result: SubmissionResult<string[]> | undefined;
}) {
  const t = useTranslations();
  const money = useMoney();
  const terms = wanted ?? agreed;
  const { form, field } = serverForm<"threshold" | "skuKey" | "monthlyAmount">({
    id: "terms",
    result,
    constraint,
    defaultValue: {
      threshold: terms ? String(terms.threshold) : undefined,
      skuKey: terms?.skuKey,
      monthlyAmount: terms ? writeMonthlyAmount(terms.monthlyAmount) : undefined,
    },
  });
  const hasCard = card !== null && card.status !== "gone";
  return (
    <Card id="terms-card" title={t("topUp.formTitle")}>
      <PostForm form={form} data-reload-on-return>
        <input type="hidden" name="shown" value={writeShown(packs)} />
        <Field
          field={field("threshold")}
          label={t("topUp.threshold")}
          hint={t("topUp.thresholdHint")}
        />
        <SelectField
          field={field("skuKey")}
          label={t("topUp.pack")}
          options={packs.map(({ skuKey, credits, amount }) => ({
            value: skuKey,
            label: t("topUp.packOption", {
              item: t("pricing.packCredits", { credits }),
              price: money(amount, CURRENCY),
            }),
          }))}
        />
        <Field
          field={field("monthlyAmount")}
          label={t("topUp.monthly", { currency: CURRENCY.toUpperCase() })}
          hint={t("topUp.monthlyHint")}
        />
        <p className="small">{t("topUp.agree")}</p>
        <div className="row">
          {hasCard ? (
            <Button name="intent" value="save">
              {t("topUp.save")}
            </Button>
          ) : null}
          <Button look={hasCard ? "secondary" : "primary"} name="intent" value="card">
            {hasCard
              ? t("topUp.otherCard")
              : t("topUp.addCard", { provider: providerName("stripe") })}
          </Button>
        </div>
      </PostForm>
    </Card>
  );
}
