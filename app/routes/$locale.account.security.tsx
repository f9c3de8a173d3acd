import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { AuditList } from "~/components/account/audit-list";
import { FactorLinks } from "~/components/account/factor-links";
import { LinkedProviders } from "~/components/account/linked-providers";
import { PasswordForm } from "~/components/account/password-form";
import { SessionList } from "~/components/account/session-list";
import { UtcNote } from "~/components/account/utc-note";
import { ProviderErrorNotice } from "~/components/auth/provider-error-notice";
import { DoneNotice } from "~/components/done-notice";
import { Card } from "~/components/ui/card";
import { translatorFor } from "~/i18n/messages.server";
import { getFactorSummary } from "~/models/accounts/factors.server";
import { getPasswordHash } from "~/models/accounts/passwords.server";
import { listSessions } from "~/models/accounts/sessions.server";
import { asOwnRow, listAuditRows } from "~/models/audit/audit-rows.server";
import { listShownProviders, unlinkFromForm } from "~/server/accounts/oauth/own-providers.server";
import { readProviderNotice } from "~/server/accounts/oauth/return-pages.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";
import { changePasswordSchema, endSessionsSchema } from "~/services/auth/account-forms";
import { describeUserAgent } from "~/utils/describe-user-agent.server";
import { pageHeaders } from "~/utils/page-headers";
import {
  changePasswordFromForm,
  endSessionsFromForm,
  setPasswordFromForm,
} from "./$locale.account.security.server";

export const headers = pageHeaders;

/** The newest rows of the audit log that the page shows; the export has all. */
const AUDIT_ROWS = 20;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId, sessionId } = await requirePageUser(request, locale);
  const [sessions, passwordHash, providers, audit] = await Promise.all([
    listSessions(userId),
    getPasswordHash(userId),
    listShownProviders(userId),
    listAuditRows({ userId, limit: AUDIT_ROWS }),
  ]);
  return {
    title: translatorFor(locale)("security.title"),
    done: new URL(request.url).searchParams.get("done"),
    hasPassword: passwordHash !== null,
    providers,
    providerNotice: readProviderNotice(request),
    audit: audit.map(asOwnRow).map(({ id, by, action, reason, createdAt }) => ({
      ...{ id, by, action, reason, createdAt },
    })),
    factors: await getFactorSummary(userId),
    sessions: sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => ({
      id,
      ...describeUserAgent(userAgent),
      createdAt,
      lastSeenAt,
      current: id === sessionId,
    })),
  };
}

const FIELDS = [
  "intent",
  "provider",
  ...Object.keys(changePasswordSchema.shape),
  ...Object.keys(endSessionsSchema.shape),
];

export async function action({ request, params, context }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await limitForms(user);
  const form = await readForm(request, FIELDS);
  const posted = { form, user, locale };
  switch (form.get("intent")) {
    case "end":
      return endSessionsFromForm(request, { ...posted, all: false });
    case "endOthers":
      return endSessionsFromForm(request, { ...posted, all: true });
    case "unlink":
      return unlinkFromForm(posted);
    case "setPassword":
      return setPasswordFromForm(request, posted, context.clientAddress);
    default:
      return changePasswordFromForm(request, posted, context.clientAddress);
  }
}

export default function Security() {
  const t = useTranslations();
  const { audit, done, hasPassword, factors, providers, providerNotice, sessions } =
    useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const endsSessions = ["end", "endOthers"].includes(String(result?.initialValue?.intent));
  return (
    <AccountPage isNarrow title={t("security.title")} lead={t("security.lead")}>
      <DoneNotice
        done={done}
        texts={{
          password: t("security.passwordChanged"),
          passwordSet: t("security.passwordSet"),
          ended: t("security.sessionsEnded"),
          linked: t("providers.doneLinked"),
          unlinked: t("providers.doneUnlinked"),
          totpOff: t("totp.turnedOff"),
          confirmed: t("security.confirmed"),
        }}
      />
      <ProviderErrorNotice notice={providerNotice} />
      <Card id="password-card" title={t("security.password")}>
        {/* A new form after each change, so that no typed password stays in it. */}
        <PasswordForm
          key={done}
          result={endsSessions ? undefined : result}
          hasPassword={hasPassword}
        />
      </Card>
      <LinkedProviders providers={providers} />
      <FactorLinks factors={factors} />
      <SessionList
        key={`sessions-${done}`}
        sessions={sessions}
        hasPassword={hasPassword}
        result={endsSessions ? result : undefined}
      />
      <AuditList rows={audit} />
      <UtcNote />
    </AccountPage>
  );
}
