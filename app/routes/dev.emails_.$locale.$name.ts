import type { LoaderFunctionArgs } from "@remix-run/node";
import { getEnv } from "~/env.server";
import { sampleEmails } from "~/models/email-delivery/sample-emails.server";
import { requireLocale } from "~/server/request/locale-param.server";

/** Serves one sample email as HTML, or with `?text` as plain text, in development alone. */
export function loader({ request, params }: LoaderFunctionArgs) {
  if (getEnv().nodeEnv !== "development") throw new Response(null, { status: 404 });
  const email = sampleEmails(requireLocale(params)).find(({ name }) => name === params.name);
  if (!email) throw new Response(null, { status: 404 });
  const [body, type] = new URL(request.url).searchParams.has("text")
    ? [email.text, "text/plain"]
    : [email.html, "text/html"];
  return new Response(body, { headers: { "Content-Type": `${type}; charset=utf-8` } });
}
