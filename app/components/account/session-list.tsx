import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { useFormatter, useTranslations } from "use-intl";
import { Button } from "~/components/button";
import { CardLabel, CELL, HEAD } from "~/components/card-table";
import { Field } from "~/components/field";
import { FieldNotes, fieldDescription } from "~/components/field-notes";
import { FormErrors } from "~/components/form-errors";
import { useZodForm } from "~/components/use-zod-form";
import { endSessionsSchema } from "~/services/auth/account-forms";

/** A session as the page's loader returns it; browser and system if they could be detected. */
interface ListedSession {
  id: string;
  browser: string | null;
  system: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  current: boolean;
}

interface SessionListProps {
  sessions: ListedSession[];
  hasPassword: boolean;
  result: SubmissionResult<string[]> | undefined;
}

/** The user's signed-in sessions, and the form that ends one chosen session or all others. */
export function SessionList({ sessions, hasPassword, result }: SessionListProps) {
  const t = useTranslations();
  const busy = useNavigation().formMethod === "POST";
  const [form, fields] = useZodForm({ id: "sessions", schema: endSessionsSchema, result });
  const { sessionId, currentPassword } = fields;
  return (
    <section className="grid gap-4">
      <h2 className="text-xl font-semibold">{t("security.sessions")}</h2>
      <Form method="post" {...getFormProps(form)} className="grid gap-5">
        <FormErrors form={form} />
        <SessionTable
          sessions={sessions}
          radio={{
            name: sessionId.name,
            "aria-describedby": fieldDescription(sessionId, false),
          }}
        />
        {sessions.length > 1 ? (
          <div className="grid max-w-form gap-5">
            <FieldNotes field={sessionId} />
            <p className="text-ink-muted">{t("security.endHint")}</p>
            {hasPassword ? (
              <Field
                field={currentPassword}
                label={t("security.yourPassword")}
                type="password"
                autoComplete="current-password"
              />
            ) : null}
            <div className="flex flex-wrap gap-3">
              {/* First, so that Enter in the password field can only end a chosen session. */}
              <Button look="secondary" name="intent" value="end" disabled={busy}>
                {t("security.endChosen")}
              </Button>
              <Button look="secondary" name="intent" value="endOthers" disabled={busy}>
                {t("security.endOthers")}
              </Button>
            </div>
          </div>
        ) : null}
      </Form>
    </section>
  );
}

interface Radio {
  name: string;
  "aria-describedby": string | undefined;
}

/** A table on wide screens, cards on narrow ones. */
function SessionTable({ sessions, radio }: { sessions: ListedSession[]; radio: Radio }) {
  const t = useTranslations();
  return (
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
            {t("security.choose")}
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:grid max-sm:gap-4">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} radio={radio} />
        ))}
      </tbody>
    </table>
  );
}

function SessionRow({ session, radio }: { session: ListedSession; radio: Radio }) {
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
      <td className={CELL}>
        {session.current ? (
          <span className="text-ink-muted">{t("security.current")}</span>
        ) : (
          <label className="inline-flex min-h-6 items-center gap-2">
            <input
              type="radio"
              {...radio}
              value={session.id}
              aria-label={t("security.endNamed", { device })}
              className="size-5 accent-accent"
            />
            {t("security.end")}
          </label>
        )}
      </td>
    </tr>
  );
}
