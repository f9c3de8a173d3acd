import { useTranslations } from "use-intl";
import { LedgerSample } from "~/components/home/ledger-sample";
import { useFeatures } from "~/components/home/use-features";
import type { ProductFacts } from "~/components/product-facts";
import { Icon } from "~/components/ui/icon";
import { Questions } from "~/components/ui/questions";

/** Lists what a customer gets. Features that are off here are left out. */
export function Features({ facts }: { facts: ProductFacts }) {
  const t = useTranslations();
  const features = useFeatures(facts);
  return (
    <section className="home-section" aria-labelledby="get">
      <h2 id="get">{t("home.getTitle")}</h2>
      <div className="features">
        <div className="card ledger-feature" id="refunds">
          <div>
            <h3>{t("home.ledger")}</h3>
            <p className="muted">{t("home.ledgerText")}</p>
          </div>
          <LedgerSample imageCost={facts.imageCost} />
        </div>
        <ul className="feature-cards">
          {features.map(({ icon, title, text }) => (
            <li key={title} className="card">
              <span className="feature-icon">
                <Icon name={icon} size={24} />
              </span>
              <h3>{title}</h3>
              <p className="muted">{text}</p>
            </li>
          ))}
        </ul>
        {/* The same again for phones, folded: no style sheet can open and close `details` everywhere. */}
        <div className="features-folded">
          <Questions
            questions={features.map(({ title, text }) => ({ question: title, answer: text }))}
          />
        </div>
      </div>
    </section>
  );
}
