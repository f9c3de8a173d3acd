import { Form } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { CardLabel, CELL, HEAD } from "~/components/card-table";

/** A session as the page's loader answers it; browser and system where they could be told. */
interface ListedSession {
  id: string;
  browser: string | null;
  system: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  current: boolean;
}

/** Where one is signed in; a table on wide screens, cards on narrow ones. */
export function SessionList({ sessions }: { sessions: ListedSession[] }) {
  const t = useTranslations();
  return (
    <section className="grid gap-4">
      <h2 className="text-xl font-semibold">{t("security.sessions")}</h2>
      <table className="w-full text-left max-sm:block">
        <caption className="sr-only">{t("security.sessions")}</caption>
        <thead className="border-b border-line text-sm text-ink-muted max-sm:sr-only">
          <tr>
            <th scope="col" className={HEAD}>
              {t("security.device")}
            </th>
            <th scope="col" className={HEAD}>
              {t("security.since")}
            </th>
            <th scope="col" className={HEAD}>
              {t("security.lastSeen")}
            </th>
            <th scope="col" className={HEAD}>
              {t("security.actions")}
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:grid max-sm:gap-4">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </tbody>
      </table>
      {sessions.length > 1 ? (
        <Form method="post">
          <Button look="secondary" name="intent" value="endOthers">
            {t("security.endOthers")}
          </Button>
        </Form>
      ) : null}
    </section>
  );
}

function SessionRow({ session }: { session: ListedSession }) {
  const t = useTranslations();
  const format = useFormatter();
  const { browser, system } = session;
  const device =
    browser && system
      ? t("security.browserOn", { browser, system })
      : (browser ?? system ?? t("security.unknownDevice"));
  const time = (date: Date) => format.dateTime(date, { dateStyle: "medium", timeStyle: "short" });
  return (
    <tr className="border-b border-line max-sm:block max-sm:rounded-md max-sm:border max-sm:p-4">
      <th scope="row" className="py-2 pr-4 font-medium max-sm:block">
        {device}
      </th>
      <td className={CELL}>
        <CardLabel>{t("security.since")}</CardLabel>
        <time dateTime={session.createdAt.toISOString()}>{time(session.createdAt)}</time>
      </td>
      <td className={CELL}>
        <CardLabel>{t("security.lastSeen")}</CardLabel>
        <time dateTime={session.lastSeenAt.toISOString()}>{time(session.lastSeenAt)}</time>
      </td>
      <td className="py-2">
        {session.current ? (
          <span className="text-ink-muted">{t("security.current")}</span>
        ) : (
          <Form method="post">
            <input type="hidden" name="sessionId" value={session.id} />
            <Button
              look="secondary"
              name="intent"
              value="end"
              aria-label={t("security.endNamed", { device })}
            >
              {t("security.end")}
            </Button>
          </Form>
        )}
      </td>
    </tr>
  );
}
