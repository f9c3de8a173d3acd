import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { DEFAULT_LOCALE } from "~/i18n/locale";
import { getMailLocale, muteEmail } from "~/models/emails/preferences.server";
import { readUnsubscribeToken } from "~/models/mailing/unsubscribe-token.server";
import { enforceRateLimit } from "~/server/enforce-rate-limit.server";
import { limitRule } from "~/server/rate-limit-rules";

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

/** Leads people to the page with the button. Mail scanners open every link, so this changes nothing. */
export async function loader({ request }: LoaderFunctionArgs) {
  const token = tokenOf(request);
  const choice = readUnsubscribeToken(token);
  const locale = choice ? await getMailLocale(choice.userId) : DEFAULT_LOCALE;
  return redirect(`/${locale}/unsubscribe?${new URLSearchParams({ token })}`);
}

/**
 * One-click unsubscribe (RFC 8058): the POST of a mail program's server, which has no session and comes
 * from another site. The token's signature is what admits it.
 */
export async function action({ request }: ActionFunctionArgs) {
  const choice = readUnsubscribeToken(tokenOf(request));
  if (!choice) return new Response("This link is not valid.\n", { status: 400 });
  await enforceRateLimit(limitRule("unsubscribe-user", choice.userId));
  await muteEmail(choice);
  return new Response("These emails are off.\n");
}
