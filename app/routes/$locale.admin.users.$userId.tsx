import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { HistoryPager } from "~/components/account/history-pager";
import { UtcNote } from "~/components/account/utc-note";
import { AdminPage } from "~/components/admin/admin-page";
import { AdminSection } from "~/components/admin/admin-section";
import { ACTION_WORDS, SECTION_WORDS } from "~/components/admin/admin-words";
import { DoneNotice } from "~/components/done-notice";
import { Time } from "~/components/time";
import { ButtonLink } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Facts } from "~/components/ui/facts";
import { getSupportUntil } from "~/models/accounts/support-access.server";
import { lookAtUser } from "~/models/admin/user-page.server";
import { requireAdmin } from "~/server/admin/require-admin.server";
import { USER_ACTION_NAMES, USER_ACTIONS } from "~/server/admin/user-actions";
import { requireUserParam } from "~/server/admin/user-param.server";
import { sectionsOf } from "~/server/admin/user-view.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { pageHeaders } from "~/utils/page-headers";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: actor } = await requireAdmin(request, locale);
  const { searchParams } = new URL(request.url);
  const cursor = searchParams.get("cursor");
  const page = await lookAtUser({ actor, userId: requireUserParam(params), cursor });
  if (!page) throw new Response(null, { status: 404 });
  const { user, factors, balance } = page;
  const { id, email, createdAt, emailVerifiedAt, disabledAt, heldForEmail } = user;
  const supportUntil = await getSupportUntil(id);
  return {
    title: email,
    locale,
    done: searchParams.get("done"),
    person: { id, createdAt, emailVerifiedAt, disabledAt, heldForEmail, locale: user.locale },
    factors,
    balance,
    supportUntil,
    sections: sectionsOf(page),
    movements: { isFirstPage: cursor === null, nextCursor: page.nextCursor },
  };
}

export { refusePost as action } from "~/server/admin/refuse-post.server";

/** One person, as an admin sees them: no prompt, text or picture. These have a page of their own while the person allows it. */
export default function AdminUser() {
  const t = useTranslations();
  const { title, locale, done, person, factors, balance, supportUntil, sections, movements } =
    useLoaderData<typeof loader>();
  const path = `/${locale}/admin/users/${person.id}`;
  const own = USER_ACTION_NAMES.filter((name) => {
    if (name === "disable" || name === "enable")
      return (name === "enable") === (person.disabledAt !== null);
    return USER_ACTIONS[name].target === null;
  });
  return (
    <AdminPage title={title} lead={t("admin.userLead")}>
      <DoneNotice
        done={done}
        texts={Object.fromEntries(
          USER_ACTION_NAMES.map((name) => [name, t(ACTION_WORDS[name].done)]),
        )}
      />
      <nav aria-label={t("admin.onPage")}>
        <ul className="row">
          {sections
            .filter(({ rows }) => rows.length > 0)
            .map(({ name }) => (
              <li key={name}>
                <a href={`#${name}`} className="link-24">
                  {t(SECTION_WORDS[name])}
                </a>
              </li>
            ))}
        </ul>
      </nav>
      <Card id="who" title={t("admin.who")} className="stack admin-who">
        <Facts
          facts={[
            { name: t("admin.id"), value: <code className="wrap-anywhere">{person.id}</code> },
            { name: t("admin.balance"), value: balance },
            { name: t("admin.since"), value: <Time at={person.createdAt} /> },
            { name: t("admin.state"), value: <State person={person} /> },
            {
              name: t("admin.factors"),
              value: t("admin.factorCounts", {
                app: factors.totp ? 1 : 0,
                passkeys: factors.passkeys,
              }),
            },
          ]}
        />
        {supportUntil ? (
          <p>
            <a href={`${path}/content`} className="link-24">
              {t("admin.content.title")}
            </a>{" "}
            · {t("admin.content.lead")} <Time at={supportUntil} />
          </p>
        ) : null}
        <div className="row">
          {own.map((name) => (
            <ButtonLink
              key={name}
              look={name === "disable" ? "danger-quiet" : "secondary"}
              size="small"
              href={`${path}/act?do=${name}`}
            >
              {t(ACTION_WORDS[name].name)}
            </ButtonLink>
          ))}
        </div>
      </Card>
      {sections.map((section) => (
        <AdminSection
          key={section.name}
          section={section}
          userId={person.id}
          isOpen={section.name === "movements" && !movements.isFirstPage}
        >
          {section.name === "movements" ? (
            <HistoryPager path={path} query={{}} listId="movements" {...movements} />
          ) : null}
        </AdminSection>
      ))}
      <UtcNote />
    </AdminPage>
  );
}

interface PersonState {
  emailVerifiedAt: Date | null;
  disabledAt: Date | null;
  heldForEmail: boolean;
}

function State({ person }: { person: PersonState }) {
  const t = useTranslations();
  const { emailVerifiedAt, disabledAt, heldForEmail } = person;
  return (
    <>
      {emailVerifiedAt ? t("admin.verified") : t("admin.unverified")}
      {heldForEmail ? ` · ${t("admin.held")}` : null}
      {disabledAt ? ` · ${t("admin.disabled")}` : null}
    </>
  );
}
