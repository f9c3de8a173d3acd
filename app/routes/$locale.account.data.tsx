import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { AccountPage } from "~/components/account/account-page";
import { SupportForm } from "~/components/account/support-form";
import { DoneNotice } from "~/components/done-notice";
import { ButtonLink } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Icon } from "~/components/ui/icon";
import { getEnv } from "~/env.server";
import { translatorFor } from "~/i18n/messages.server";
import {
  allowSupport,
  getSupportUntil,
  refuseSupport,
} from "~/models/accounts/support-access.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { enforceRateLimit } from "~/server/limits/enforce-rate-limit.server";
import { limitForms } from "~/server/limits/limit-forms.server";
import { limitRule } from "~/server/limits/rate-limit-rules";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  const { images, storage } = getEnv();
  return {
    title: translatorFor(locale)("accountData.title"),
    locale,
    done: new URL(request.url).searchParams.get("done"),
    hasImages: images.enabled && storage.enabled,
    supportUntil: await getSupportUntil(userId),
  };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const user = await requirePageUser(request, locale);
  await limitForms(user);
  const intent = (await readForm(request, ["intent"])).get("intent");
  if (intent !== "allow" && intent !== "refuse") throw new Response(null, { status: 400 });
  if (intent === "allow") {
    // Ending it is not counted: a stolen session must not be able to keep the owner from it.
    await enforceRateLimit(limitRule("support-access-user", user.id));
    await allowSupport(user.id);
  } else await refuseSupport(user.id);
  return redirect(`/${locale}/account/data?done=${intent}`, 303);
}

export default function AccountData() {
  const t = useTranslations();
  const { locale, done, hasImages, supportUntil } = useLoaderData<typeof loader>();
  return (
    <AccountPage isNarrow title={t("accountData.title")} lead={t("accountData.lead")}>
      <DoneNotice
        done={done}
        texts={{
          confirmed: t("accountData.confirmed"),
          allow: t("supportAccess.allowed"),
          refuse: t("supportAccess.refused"),
        }}
      />
      <Card id="export" title={t("accountData.exportTitle")}>
        <div className="card-form">
          <p className="muted">{t("accountData.exportText")}</p>
          <p>
            <ButtonLink href={`/${locale}/account/export`}>
              <Icon name="download" size={16} />
              {t("accountData.export")}
            </ButtonLink>
          </p>
        </div>
      </Card>
      {hasImages ? (
        <Card id="images" title={t("imageAccess.title")}>
          <div className="card-form">
            <p className="muted">{t("imageAccess.lead")}</p>
            <p>
              <ButtonLink look="secondary" href={`/${locale}/account/images`}>
                {t("generator.changeAccess")}
              </ButtonLink>
            </p>
          </div>
        </Card>
      ) : null}
      <Card id="credits-csv" title={t("accountData.csvTitle")}>
        <div className="card-form">
          <p className="muted">{t("accountData.csvText")}</p>
          <p>
            <ButtonLink look="secondary" href={`/${locale}/account/credits.csv`}>
              <Icon name="download" size={16} />
              {t("credits.download")}
            </ButtonLink>
          </p>
        </div>
      </Card>
      <SupportForm until={supportUntil} />
      <Card id="delete" title={t("accountData.deleteTitle")}>
        <div className="card-form">
          <p className="muted">{t("accountData.deleteText")}</p>
          <p>
            <ButtonLink look="danger-quiet" href={`/${locale}/account/delete`}>
              {t("accountData.delete")}
            </ButtonLink>
          </p>
        </div>
      </Card>
    </AccountPage>
  );
}
