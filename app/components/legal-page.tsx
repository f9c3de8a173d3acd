import { useTranslations } from "use-intl";
import { WriteToUs } from "~/components/support/write-to-us";
import { Notice } from "~/components/ui/notice";
import { PageHead } from "~/components/ui/page-head";

interface LegalPageProps {
  title: string;
  lead: string;
  sections: { title: string; text: string }[];
  /** Whether the text is still the one that came with the software. */
  isTemplate: boolean;
}

/** A page of terms. While its text is the software's own, it tells the operator to replace it. */
export function LegalPage({ title, lead, sections, isTemplate }: LegalPageProps) {
  const t = useTranslations();
  return (
    <main id="main">
      <div className="wrap page">
        <div className="reading">
          <PageHead title={title} lead={lead} />
          {isTemplate ? <Notice tone="warn">{t("legal.template")}</Notice> : null}
          {sections.map((section) => (
            <section key={section.title}>
              <h2>{section.title}</h2>
              <p>{section.text}</p>
            </section>
          ))}
          <p className="empty:hidden">
            <WriteToUs subject={title} />
          </p>
        </div>
      </div>
    </main>
  );
}
