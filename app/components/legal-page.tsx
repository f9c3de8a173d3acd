import { useTranslations } from "use-intl";
import { Notice } from "~/components/ui/notice";
import { PageHead } from "~/components/ui/page-head";

interface LegalPageProps {
  title: string;
  lead: string;
  sections: { title: string; text: string }[];
}

/** A placeholder text that tells the operator to replace it. */
export function LegalPage({ title, lead, sections }: LegalPageProps) {
  const t = useTranslations();
  return (
    <main id="main">
      <div className="wrap page">
        <div className="reading">
          <PageHead title={title} lead={lead} />
          <Notice tone="warn">{t("legal.template")}</Notice>
          {sections.map((section) => (
            <section key={section.title}>
              <h2>{section.title}</h2>
              <p>{section.text}</p>
            </section>
          ))}
        </div>
      </div>
    </main>
  );
}
