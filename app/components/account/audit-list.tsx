import { useTranslations } from "use-intl";
import { AUDIT_BY, AUDIT_WORDS } from "~/components/account/audit-words";
import { Time } from "~/components/time";
import { Card } from "~/components/ui/card";
import type { AuditAction } from "~/models/audit/audit-actions";

interface ShownRow {
  id: string;
  by: "you" | "support";
  action: AuditAction;
  reason: string | null;
  createdAt: Date;
}

/** Lists operators' acts on the account, newest first. Renders nothing where there are none. */
export function AuditList({ rows }: { rows: ShownRow[] }) {
  const t = useTranslations();
  if (rows.length === 0) return null;
  return (
    <Card id="audit-card" title={t("audit.title")}>
      <p className="muted">{t("audit.lead")}</p>
      <ul className="rows">
        {rows.map(({ id, by, action, reason, createdAt }) => (
          <li key={id}>
            <b>{t(AUDIT_WORDS[action])}</b>
            <small>
              <Time at={createdAt} /> · {t(AUDIT_BY[by])}
              {reason ? ` · ${reason}` : null}
            </small>
          </li>
        ))}
      </ul>
    </Card>
  );
}
