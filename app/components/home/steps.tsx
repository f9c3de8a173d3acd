import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Badge } from "~/components/ui/badge";
import { Icon } from "~/components/ui/icon";
import { Picture } from "~/components/ui/picture";

/** How an image comes about, in three steps with a small drawing each. */
export function Steps() {
  const t = useTranslations();
  return (
    <section className="home-section" aria-labelledby="how">
      <h2 id="how">{t("home.howTitle")}</h2>
      <ol className="steps">
        <Step number={1} title={t("home.say")} text={t("home.sayText")}>
          <div className="step-art" aria-hidden="true">
            <span className="sample-field">
              {t("home.sayPrompt")}
              <i />
            </span>
            <span className="sample-badges">
              <Badge>{t("home.sayCount")}</Badge>
              <Badge>{t("home.sayShape")}</Badge>
            </span>
          </div>
        </Step>
        <Step number={2} title={t("home.watch")} text={t("home.watchText")}>
          <div className="step-art step-tiles" aria-hidden="true">
            <Picture src="/samples/lake.svg" width={720} height={480} alt="" shape="landscape" />
            <span className="pic ls wait" />
          </div>
        </Step>
        <Step number={3} title={t("home.keep")} text={t("home.keepText")}>
          <div className="step-art" aria-hidden="true">
            <span className="sample-file">
              <img
                className="thumb"
                src="/samples/lake.svg"
                width={720}
                height={480}
                alt=""
                loading="lazy"
              />
              <SampleFile name={t("home.keepFile")} note={t("home.keepSize")} />
              <Icon name="download" />
            </span>
            <span className="sample-file">
              <span className="thumb thumb-icon">
                <Icon name="link" />
              </span>
              <SampleFile name={t("home.keepCopied")} note={t("home.keepCopiedText")} />
              <Icon name="check" />
            </span>
          </div>
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  number: number;
  title: string;
  text: string;
  /** The drawing. */
  children: ReactNode;
}

function Step({ number, title, text, children }: StepProps) {
  return (
    <li>
      {children}
      <h3>
        <span className="step-number">{number}</span>
        {title}
      </h3>
      <p>{text}</p>
    </li>
  );
}

function SampleFile({ name, note }: { name: string; note: string }) {
  return (
    <span>
      <b>{name}</b>
      <small>{note}</small>
    </span>
  );
}
