import { useFormatter, useTranslations } from "use-intl";
import { Badge } from "~/components/ui/badge";
import { Icon } from "~/components/ui/icon";
import { Picture } from "~/components/ui/picture";
import { MAX_IMAGES } from "~/services/images/image-limits";

/** The generator and a balance that comes back after a failure, drawn small. One picture to screen readers. */
export function ProductPicture({ imageCost }: { imageCost: number }) {
  const t = useTranslations();
  const format = useFormatter();
  const cost = MAX_IMAGES * imageCost;
  const balance = 74 * imageCost;
  const prompt = t("home.picturePrompt");
  const label = t("home.pictureLabel", { prompt, balance, less: balance - cost });
  return (
    <div className="product-picture" role="img" aria-label={label}>
      <div className="card product-picture-main" aria-hidden="true">
        <div className="product-picture-prompt">
          <span>{prompt}</span>
          <span className="product-picture-send">
            <Icon name="up" size={16} />
          </span>
        </div>
        <div className="product-picture-images">
          <Picture src="/samples/fox.svg" width={600} height={600} alt="" eager />
          <Picture src="/samples/fox2.svg" width={600} height={600} alt="" eager />
        </div>
        <div className="product-picture-earlier">
          <Picture src="/samples/planet.svg" width={600} height={600} alt="" eager />
          <Picture src="/samples/flow.svg" width={600} height={600} alt="" eager />
          <Picture src="/samples/lemons.svg" width={600} height={600} alt="" eager />
          <Picture src="/samples/lake.svg" width={720} height={480} alt="" eager />
        </div>
      </div>
      <div className="card product-picture-balance" aria-hidden="true">
        <p className="row row-between small">
          <span className="muted">{t("home.pictureCredits")}</span>
          <Badge tone="good" icon="undo">
            {t("home.pictureRefunded")}
          </Badge>
        </p>
        <p className="big big-32">{format.number(balance)}</p>
        <BalanceLine />
        <ul className="product-picture-entries small num">
          <li>
            <span>{t("home.pictureImages", { count: MAX_IMAGES })}</span>
            <b>−{format.number(cost)}</b>
          </li>
          <li className="plus">
            <span>{t("home.pictureBack")}</span>
            <b>+{format.number(cost)}</b>
          </li>
        </ul>
      </div>
    </div>
  );
}

function BalanceLine() {
  return (
    <svg className="balance-line" viewBox="0 0 220 56" aria-hidden="true">
      <path className="balance-line-area" d="M0 14H88V42H142V14H220V56H0Z" />
      <path className="balance-line-stroke" d="M0 14H88V42H142V14H214" />
      <circle className="balance-line-end" cx="214" cy="14" r="4" />
    </svg>
  );
}
