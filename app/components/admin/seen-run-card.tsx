import { useTranslations } from "use-intl";
import { Time } from "~/components/time";
import { Card } from "~/components/ui/card";
import type { SeenRun } from "~/server/admin/content-view.server";

/** Characters of a run's id that tell it from the others of a page. */
const SHOWN = 8;

/** A run with its prompt, and the text or the pictures that came of it. */
export function SeenRunCard({ run }: { run: SeenRun }) {
  const t = useTranslations();
  const { id, action, status, createdAt, subject, text, pictures } = run;
  return (
    <Card id={`run-${id}`} title={`${action} · ${status} · ${id.slice(0, SHOWN)}`}>
      <div className="stack">
        <p className="muted small">
          <Time at={createdAt} /> · <code className="wrap-anywhere">{id}</code>
        </p>
        <p className="wrap-anywhere">{subject || t("admin.content.nothingKept")}</p>
        {text ? <blockquote className="wrap-anywhere">{text}</blockquote> : null}
        {pictures.length > 0 ? (
          <div className="row">
            {pictures.map((url, nth) => (
              <a key={url} href={url} rel="noreferrer">
                <img
                  src={url}
                  alt={t("admin.content.picture", { number: nth + 1 })}
                  width={160}
                  height={160}
                  loading="lazy"
                  referrerPolicy="no-referrer"
                />
              </a>
            ))}
          </div>
        ) : null}
      </div>
    </Card>
  );
}
