import type { SubmissionResult } from "@conform-to/dom";
import { useTranslations } from "use-intl";
import { ACTION_WORDS, OUTCOME_WORDS } from "~/components/admin/admin-words";
import { Button, ButtonLink } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Facts } from "~/components/ui/facts";
import { Field } from "~/components/ui/field";
import { Notice } from "~/components/ui/notice";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
import { type ActionOutcome, USER_ACTIONS, type UserAction } from "~/server/admin/user-actions";

interface Difference {
  provider: string;
  object: string;
  says: string;
  does: string | null;
  advice: string | null;
}

interface ActionFormProps {
  name: UserAction;
  locale: string;
  user: { id: string; email: string };
  /** Credits; null for actions that it doesn't matter to. */
  balance: number | null;
  target: string | null;
  /** Makes a form that is sent twice one action. */
  formKey: string;
  /** The changes that a reconciliation would make. Null for other actions, or if the provider can't be asked. */
  differences: Difference[] | null;
  result: SubmissionResult<string[]> | undefined;
  outcome: ActionOutcome | null;
}

/** The form of an admin's action on a person, with what it is done to. */
export function ActionForm(props: ActionFormProps) {
  const { name, locale, user, balance, target, formKey, differences, result, outcome } = props;
  const t = useTranslations();
  const { fields, isFinal } = USER_ACTIONS[name];
  const asked: readonly string[] = fields;
  const { form, field } = serverForm<"amount" | "amountAgain" | "reason">({ id: "act", result });
  const hasWork = name !== "reconcile" || differences?.some(({ does }) => does !== null);
  return (
    <>
      {outcome && outcome !== "done" ? (
        <Notice tone="bad">{t(OUTCOME_WORDS[outcome])}</Notice>
      ) : null}
      {name === "reconcile" ? <Differences differences={differences} /> : null}
      <Card>
        <PostForm form={form}>
          <Facts
            facts={[
              {
                name: t("admin.person"),
                value: <span className="wrap-anywhere">{user.email}</span>,
              },
              ...(balance === null ? [] : [{ name: t("admin.balance"), value: balance }]),
              ...(target
                ? [{ name: t("admin.id"), value: <code className="wrap-anywhere">{target}</code> }]
                : []),
            ]}
          />
          {isFinal ? <p>{t("admin.final")}</p> : null}
          <input type="hidden" name="do" value={name} />
          <input type="hidden" name="key" value={formKey} />
          {target ? <input type="hidden" name="target" value={target} /> : null}
          {asked.includes("amount") ? (
            <>
              <Field
                field={field("amount")}
                label={t("admin.amount")}
                hint={t("admin.amountHint")}
              />
              <Field
                field={field("amountAgain")}
                label={t("admin.amountAgain")}
                hint={t("admin.amountAgainHint")}
              />
            </>
          ) : null}
          {asked.includes("reason") ? (
            <Field field={field("reason")} label={t("admin.reason")} hint={t("admin.reasonHint")} />
          ) : null}
          <div className="row">
            {hasWork ? (
              <Button look={isFinal ? "danger" : "primary"}>{t(ACTION_WORDS[name].name)}</Button>
            ) : null}
            <ButtonLink look="secondary" href={`/${locale}/admin/users/${user.id}`}>
              {t("admin.back")}
            </ButtonLink>
          </div>
        </PostForm>
      </Card>
    </>
  );
}

function Differences({ differences }: { differences: Difference[] | null }) {
  const t = useTranslations();
  if (differences === null) return <Notice tone="warn">{t("admin.notAsked")}</Notice>;
  if (differences.length === 0) return <Notice tone="good">{t("admin.noDifference")}</Notice>;
  return (
    <Card id="differences" title={t("admin.differences")}>
      <ul className="rows">
        {differences.map(({ provider, object, says, does, advice }) => (
          <li key={`${object} ${says}`} className="wrap-anywhere">
            <b>
              {provider} {object}
            </b>
            <p>{says}</p>
            <p className="muted">{does ? t("admin.would", { does }) : advice}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
