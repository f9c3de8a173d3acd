import { useLoaderData } from "@remix-run/react";
import { getEnv } from "~/env.server";
import { LOCALES } from "~/i18n/locale";
import { sampleEmails } from "~/models/email-delivery/sample-emails.server";

/** Lists a sample of every kind of email in every language, in development alone. */
export function loader() {
  if (getEnv().nodeEnv !== "development") throw new Response(null, { status: 404 });
  const languages = LOCALES.map((locale) => ({
    locale,
    emails: sampleEmails(locale).map(({ name, subject }) => ({ name, subject })),
  }));
  return { title: "Emails", languages };
}

export default function DevEmails() {
  const { languages } = useLoaderData<typeof loader>();
  return (
    <main id="main" className="ui-page">
      <h1>Emails</h1>
      {languages.map(({ locale, emails }) => (
        <section key={locale} lang={locale}>
          <h2>{locale}</h2>
          <ul className="list">
            {emails.map(({ name, subject }) => (
              <li key={name}>
                <a href={`/dev/emails/${locale}/${name}`}>{subject}</a>{" "}
                <a href={`/dev/emails/${locale}/${name}?text`} lang="en">
                  Text<span className="sr-only"> of {name}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </main>
  );
}
