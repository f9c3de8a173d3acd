import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { frameOf } from "~/components/generator/generated-picture";
import type { RunningGeneration } from "~/components/generator/shown-generation";
import { Notice } from "~/components/ui/notice";

/** Waits for the images: empty tiles in their final shape, and the time that has passed. */
export function RunningCanvas({
  running,
  usualSeconds,
}: {
  running: RunningGeneration;
  /** Null if it is not known. */
  usualSeconds: number | null;
}) {
  const t = useTranslations();
  const { n, size, prompt, seconds } = running;
  return (
    <section className="canvas" aria-labelledby="canvas-title" aria-busy="true">
      <div className="canvas-head">
        <div className="canvas-title" role="status">
          <h2 id="canvas-title" tabIndex={-1}>
            {t("generator.running.title", { count: n })}
          </h2>
          <p className="muted clamp wrap-anywhere">{prompt}</p>
        </div>
        <Elapsed seconds={seconds} usualSeconds={usualSeconds} />
      </div>
      <progress aria-label={t("generator.running.title", { count: n })} />
      <div className="results">
        {Array.from({ length: n }, (_, index) => index + 1).map((number) => (
          <div key={number} className={`${frameOf(size)} waiting`}>
            <span>{t("generator.image.number", { number })}</span>
          </div>
        ))}
      </div>
      <Notice tone="info" title={t("generator.running.leaveTitle")}>
        {t("generator.running.leave")}
      </Notice>
      <noscript>
        <meta httpEquiv="refresh" content="3" />
      </noscript>
    </section>
  );
}

/** Minutes and seconds since the start, which go on where there is a script. */
function Elapsed({ seconds, usualSeconds }: { seconds: number; usualSeconds: number | null }) {
  const t = useTranslations();
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    const from = Date.now();
    const timer = setInterval(() => setPassed((Date.now() - from) / 1000), 1000);
    return () => clearInterval(timer);
  }, []);
  const total = Math.max(0, Math.floor(seconds + passed));
  const clock = `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")}`;
  return (
    <p className="timer num" role="timer">
      <b>{clock}</b>
      <span className="tiny quiet">{t("generator.running.elapsed")}</span>
      {usualSeconds === null ? null : (
        <span className="tiny quiet">
          {t("generator.running.usually", { seconds: Math.max(1, Math.round(usualSeconds)) })}
        </span>
      )}
    </p>
  );
}
