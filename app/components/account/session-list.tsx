import type { SubmissionResult } from "@conform-to/dom";

import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Button } from "~/components/button";
import { CardTable } from "~/components/card-table";
import { Field } from "~/components/field";
import { FieldNotes, fieldDescription } from "~/components/field-notes";
import { FormErrors } from "~/components/form-errors";
import { formAttributes, serverForm } from "~/components/server-form";
import { Time } from "~/components/time";
import type { endSessionsSchema } from "~/services/auth/account-forms";

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
  const { form, field } = serverForm<keyof z.input<typeof endSessionsSchema>>({
    id: "sessions",
    result,
  });
  const sessionId = field("sessionId");
  return (
    <section className="grid gap-4">
      <h2 className="text-xl font-semibold">{t("security.sessions")}</h2>
      <form method="post" {...formAttributes(form)} className="grid gap-5">
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
            {hasPassword ? <p className="text-ink-muted">{t("security.endHint")}</p> : null}
            {hasPassword ? (
              <Field
                field={field("currentPassword")}
                label={t("security.yourPassword")}
                type="password"
                autoComplete="current-password"
              />
            ) : null}
            <div className="flex flex-wrap gap-3">
              {/* First, so that Enter in the password field can only end a chosen session. */}
              <Button look="secondary" name="intent" value="end">
                {t("security.endChosen")}
              </Button>
              <Button look="secondary" name="intent" value="endOthers">
                {t("security.endOthers")}
              </Button>
            </div>
          </div>
        ) : null}
      </form>
    </section>
  );
}

interface Radio {
  name: string;
  "aria-describedby": string | undefined;
}

function SessionTable({ sessions, radio }: { sessions: ListedSession[]; radio: Radio }) {
  const t = useTranslations();
  const deviceOf = ({ browser, system }: ListedSession) =>
    browser && system
      ? t("security.browserOn", { browser, system })
      : (browser ?? system ?? t("security.unknownDevice"));
  return (
    <CardTable
      caption={t("security.sessions")}
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        { label: t("security.device"), kind: "title", cell: deviceOf },
        { label: t("security.since"), cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: t("security.lastSeen"), cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
        {
          label: t("security.choose"),
          cell: (session) =>
            session.current ? (
              <span className="text-ink-muted">{t("security.current")}</span>
            ) : (
              <label className="inline-flex min-h-6 items-center gap-2">
                <input
                  type="radio"
                  {...radio}
                  value={session.id}
                  aria-label={t("security.endNamed", { device: deviceOf(session) })}
                  className="size-5 accent-accent"
                />
                {t("security.end")}
              </label>
            ),
        },
      ]}
    />
  );
}
