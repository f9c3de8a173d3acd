import { useParams } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { ACTION_VIEWS } from "~/components/actions/action-views";
import { Time } from "~/components/time";
import { DataTable } from "~/components/ui/data-table";
import { Icon } from "~/components/ui/icon";
import { useRunResult } from "~/components/usage/use-run-words";
import type { UsedRun } from "~/models/accounts/usage.server";

/** The account's runs. Below 640 px each row is a card. */
export function RunTable({ runs }: { runs: UsedRun[] }) {
  const t = useTranslations();
  const format = useFormatter();
  const { locale } = useParams();
  const resultOf = useRunResult();
  return (
    <DataTable
      caption={t("usage.caption")}
      columns={[t("usage.what"), t("credits.when"), t("credits.amount")]}
      endFrom={2}
    >
      {runs.map((run) => {
        const { icon, pageOf, words } = ACTION_VIEWS[run.action];
        const units = t(words.units, { count: run.units });
        return (
          <tr key={run.id}>
            <td className="first">
              <div className="what">
                <span className="thumb thumb-icon">
                  <Icon name={icon} />
                </span>
                <div>
                  <a href={`/${locale}${pageOf(run.id)}`}>{run.subject || t(words.name)}</a>
                  <small>
                    {run.status === "refunded" ? t(words.name) : units} · {resultOf(run)}
                    {run.apiKeyName ? ` · ${t("usage.byKey", { name: run.apiKeyName })}` : null}
                  </small>
                </div>
              </div>
            </td>
            <td className="when rest">
              <Time at={run.createdAt} />
            </td>
            <td className="end amount">
              <data value={run.credits}>{format.number(run.credits)}</data>
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}
