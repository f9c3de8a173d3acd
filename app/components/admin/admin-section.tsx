import { useParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { AUDIT_WORDS } from "~/components/account/audit-words";
import { ACTION_WORDS, COLUMN_WORDS, SECTION_WORDS } from "~/components/admin/admin-words";
import { Time } from "~/components/time";
import { Card } from "~/components/ui/card";
import { CardTable } from "~/components/ui/card-table";
import { Icon } from "~/components/ui/icon";
import { splitRows } from "~/server/admin/split-rows";
import type { AdminCell, AdminSection as Section } from "~/server/admin/user-view.server";

/** One table of a person's page, with the actions of each row. Most rows of a long one open below its first. */
export function AdminSection({
  section,
  userId,
  isOpen = false,
  children,
}: {
  section: Section;
  userId: string;
  /** All rows are shown. */
  isOpen?: boolean;
  /** Below the table. */
  children?: ReactNode;
}) {
  const t = useTranslations();
  const { locale } = useParams();
  const { name, columns, rows } = section;
  const title = t(SECTION_WORDS[name]);
  const hasActions = rows.some(({ actions }) => actions.length > 0);
  if (rows.length === 0)
    return (
      <Card id={name} title={title}>
        <p className="muted">{t("admin.none")}</p>
      </Card>
    );
  const { first, rest } = splitRows(section);
  const count = rest.length;
  const opens = t(first.length > 0 ? "admin.more" : "admin.show", { count });
  const table = (caption: string, shown: Section["rows"]) => (
    <CardTable
      caption={caption}
      rows={shown}
      keyOf={({ id }) => id}
      columns={[
        ...columns.map((column, nth) => ({
          label: t(COLUMN_WORDS[column]),
          kind: nth === 0 ? ("name" as const) : ("text" as const),
          cell: (row: Section["rows"][number]) => <Cell cell={row.cells[nth] ?? null} />,
        })),
        ...(hasActions
          ? [
              {
                label: t("admin.columns.do"),
                kind: "actions" as const,
                cell: (row: Section["rows"][number]) => (
                  <span className="row">
                    {row.actions.map((action) => (
                      <a
                        key={action}
                        href={`/${locale}/admin/users/${userId}/act?do=${action}&target=${row.id}`}
                      >
                        {t(ACTION_WORDS[action].name)}
                      </a>
                    ))}
                  </span>
                ),
              },
            ]
          : []),
      ]}
    />
  );
  return (
    <Card id={name} title={title}>
      {first.length > 0 ? table(title, first) : null}
      {count > 0 ? (
        <details className="more" open={isOpen}>
          <summary>
            {opens} <Icon name="down" size={16} className="chev" />
          </summary>
          {table(`${title}: ${opens}`, rest)}
        </details>
      ) : null}
      {children}
    </Card>
  );
}

function Cell({ cell }: { cell: AdminCell }) {
  const t = useTranslations();
  if (cell === null || cell === "") return <span>–</span>;
  if (cell instanceof Date) return <Time at={cell} />;
  if (typeof cell !== "object") return <span className="wrap-anywhere">{cell}</span>;
  if ("action" in cell) return <span>{t(AUDIT_WORDS[cell.action])}</span>;
  if (cell.href === null) return <span className="wrap-anywhere">{cell.text}</span>;
  return (
    <a href={cell.href} className="wrap-anywhere link-24" rel="noreferrer">
      {cell.text}
    </a>
  );
}
