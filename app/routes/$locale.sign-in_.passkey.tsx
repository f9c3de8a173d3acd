import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { PasskeyRefusal } from "~/components/account/passkey-refusal";
import { PasskeySignIn } from "~/components/account/passkey-sign-in";
import { NarrowPage } from "~/components/narrow-page";
import { translatorFor } from "~/i18n/messages.server";
import { passOn } from "~/server/accounts/arrival.server";
import { completeSignIn } from "~/server/accounts/complete-sign-in.server";
import { checkSignInPasskey } from "~/server/accounts/passkeys.server";
import { getUser } from "~/server/accounts/session.server";
import { enforceAddressLimit } from "~/server/limits/address-limits.server";
import { formRefused } from "~/server/request/form-refused.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { invalidInput, readForm } from "~/server/request/read-body.server";
import { passkeyFormSchema } from "~/services/auth/passkey-response";
import { pageHeaders } from "~/utils/page-headers";
import { wayBackOf } from "~/utils/way-back";

export const headers = pageHeaders;

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const redirectTo = wayBackOf(request);
  const user = await getUser(request);
  if (user) throw redirect(await passOn({ userId: user.id, locale, redirectTo }));
  return { title: translatorFor(locale)("passkeys.signIn"), locale, redirectTo };
}

/** Takes the passkey's response from the button of the sign-in page, or of this one. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const posted = await readForm(request, Object.keys(passkeyFormSchema.shape));
  const fields = passkeyFormSchema.safeParse(Object.fromEntries(posted));
  try {
    if (!fields.success) throw invalidInput(fields.error);
    const { response, redirectTo } = fields.data;
    await enforceAddressLimit("passkey-sign-in-address", context.clientAddress);
    const { userId } = await checkSignInPasskey(response);
    return await completeSignIn(request, { userId, way: "passkey" }, { locale, redirectTo });
  } catch (error) {
    return formRefused({ error });
  }
}

export default function SignInWithPasskey() {
  const t = useTranslations();
  const { locale, redirectTo } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>()?.refusal;
  const { search } = useLocation();
  return (
    <NarrowPage
      title={t("passkeys.signIn")}
      lead={t("passkeys.signInLead")}
      after={
        <p className="center">
          <a href={`/${locale}/sign-in${search}`} className="link-24">
            {t("passkeys.otherMethods")}
          </a>
        </p>
      }
    >
      <PasskeyRefusal refusal={refusal} />
      <p className="lacks-passkeys">{t("passkeys.needed")}</p>
      <PasskeySignIn redirectTo={redirectTo} />
    </NarrowPage>
  );
}
