import { useTranslations } from "use-intl";
import { PRODUCT_NAME } from "~/catalog";
import { Ticks } from "~/components/ui/ticks";

const COMMANDS = ["git clone <your fork> my-app", "cd my-app", "npm run dev"];

/** The starter's own advertisement. A product built on it leaves this section out. */
export function ForDevelopers({ hasImages }: { hasImages: boolean }) {
  const t = useTranslations();
  const points = [
    { key: "storage", text: t("home.developersStorage") },
    ...(hasImages ? [{ key: "images", text: t("home.developersImages") }] : []),
    { key: "payments", text: t("home.developersPayments") },
    { key: "script", text: t("home.developersScript") },
  ];
  return (
    <section className="home-section developers" aria-labelledby="developers">
      <div className="stack">
        <p className="eyebrow">{t("home.developers")}</p>
        <h2 id="developers">{t("home.developersTitle")}</h2>
        <p className="muted">{t("home.developersText", { product: PRODUCT_NAME })}</p>
        <Ticks items={points} />
      </div>
      <pre className="code">
        {COMMANDS.map((command) => (
          <span key={command}>
            <span className="p">$ </span>
            {command}
            {"\n"}
          </span>
        ))}
      </pre>
    </section>
  );
}
