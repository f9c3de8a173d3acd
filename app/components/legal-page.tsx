import { useTranslations } from "use-intl";
import { Page } from "~/components/page";
import { Notice } from "~/components/ui/notice";

interface LegalPageProps {
  title: string;
  lead: string;
  sections: { title: string; text: string }[];
}

/** A placeholder text that tells the operator to replace it. */
export function LegalPage({ title, lead, sections }: LegalPageProps) {
  const t = useTranslations();
  return (
    <Page title={title} lead={lead}>
      <Notice tone="warn">{t("legal.template")}</Notice>
      {sections.map((section) => (
        <section key={section.title} className="grid max-w-text gap-1">
          <h2 className="text-18 font-semibold">{section.title}</h2>
          <p>{section.text}</p>
        </section>
      ))}
    </Page>
  );
}
