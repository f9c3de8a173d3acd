import { useTranslations } from "use-intl";
import { Picture } from "~/components/ui/picture";

const PORTRAIT = { width: 480, height: 720 };
const LANDSCAPE = { width: 720, height: 480 };

/** A strip of samples with their prompts. Phones leave it out. */
export function Samples() {
  const t = useTranslations();
  const samples = [
    { src: "/samples/city.svg", ...PORTRAIT, prompt: t("home.sampleCity") },
    { src: "/samples/lighthouse.svg", ...LANDSCAPE, prompt: t("home.sampleLighthouse") },
    { src: "/samples/bottle.svg", ...PORTRAIT, prompt: t("home.sampleBottle") },
    { src: "/samples/dunes.svg", ...LANDSCAPE, prompt: t("home.sampleDunes") },
    { src: "/samples/bauhaus.svg", ...PORTRAIT, prompt: t("home.sampleBauhaus") },
  ];
  return (
    <section className="home-section samples-section" aria-labelledby="samples">
      <div className="section-head">
        <h2 id="samples">{t("home.samplesTitle")}</h2>
        <p className="muted">{t("home.samplesText")}</p>
      </div>
      <ul className="samples">
        {samples.map(({ prompt, ...picture }) => (
          <li key={picture.src}>
            <figure>
              <Picture {...picture} alt="" />
              <figcaption className="tiny quiet">{prompt}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </section>
  );
}
