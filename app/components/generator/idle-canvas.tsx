import { useTranslations } from "use-intl";
import { EXAMPLES } from "~/components/generator/examples";
import { Picture } from "~/components/ui/picture";

/** Pictures to begin with, while nothing was generated yet. */
export function IdleCanvas() {
  const t = useTranslations();
  return (
    <section className="canvas canvas-idle" aria-labelledby="canvas-title">
      <div className="stack stack-2">
        <h2 id="canvas-title">{t("generator.idle.title")}</h2>
        <p className="muted">{t("generator.idle.text")}</p>
      </div>
      <ul className="examples">
        {EXAMPLES.map(({ name, prompt, width, height }) => (
          <li key={name}>
            <a className="example" href={`?example=${name}#generator-prompt`}>
              <Picture src={`/samples/${name}.svg`} alt="" width={width} height={height} eager />
              <span>{t(prompt)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
