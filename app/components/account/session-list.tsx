import type { SubmissionResult } from "@conform-to/dom";
import { useTranslations } from "use-intl";
import type { z } from "zod";
import { Time } from "~/components/time";
import { Badge } from "~/components/ui/badge";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Field } from "~/components/ui/field";
import { FieldNotes, fieldDescription } from "~/components/ui/field-notes";
import { Icon } from "~/components/ui/icon";
import { PostForm } from "~/components/ui/post-form";
import { serverForm } from "~/components/ui/server-form";
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
    <Card id="sessions-card" title={t("security.sessions")}>
      <PostForm form={form} className="stack">
        <SessionRows
          sessions={sessions}
          radio={{
            name: sessionId.name,
            "aria-describedby": fieldDescription(sessionId, false),
          }}
        />
        {sessions.length > 1 ? (
          <div className="card-form">
            <FieldNotes field={sessionId} />
            {hasPassword ? <p className="muted">{t("security.endHint")}</p> : null}
            {hasPassword ? (
              <Field
                field={field("currentPassword")}
                label={t("security.yourPassword")}
                type="password"
                autoComplete="current-password"
              />
            ) : null}
            <div className="row">
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
      </PostForm>
    </Card>
  );
}

interface Radio {
  name: string;
  "aria-describedby": string | undefined;
}

function SessionRows({ sessions, radio }: { sessions: ListedSession[]; radio: Radio }) {
  const t = useTranslations();
  return (
    <ul className="rows">
      {sessions.map((session) => (
        <li key={session.id} className="row row-between">
          <SessionState session={session} />
          {session.current ? (
            <Badge tone="good">{t("security.current")}</Badge>
          ) : (
            <SessionChoice session={session} radio={radio} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Returns the browser and the system of a session, as far as they are known. */
function useDevice({ browser, system }: ListedSession): string {
  const t = useTranslations();
  return browser && system
    ? t("security.browserOn", { browser, system })
    : (browser ?? system ?? t("security.unknownDevice"));
}

function SessionState({ session }: { session: ListedSession }) {
  const t = useTranslations();
  return (
    <div className="what">
      <span className="thumb thumb-icon">
        <Icon name="screen" />
      </span>
      <div>
        <b>{useDevice(session)}</b>
        <small>
          {t("security.lastSeen")} <Time at={session.lastSeenAt} /> · {t("security.since")}{" "}
          <Time at={session.createdAt} />
        </small>
      </div>
    </div>
  );
}

function SessionChoice({ session, radio }: { session: ListedSession; radio: Radio }) {
  const t = useTranslations();
  return (
    <label className="inline-flex min-h-6 items-center gap-2">
      <input
        type="radio"
        {...radio}
        value={session.id}
        aria-label={t("security.endNamed", { device: useDevice(session) })}
        className="size-5 accent-accent"
      />
      {t("security.choose")}
    </label>
  );
}
