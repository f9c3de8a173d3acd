import { useTranslations } from "use-intl";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { Art } from "~/components/ui/art";
import { ButtonLink } from "~/components/ui/button";
import { Refusal } from "~/components/ui/refusal";
import type { Locale } from "~/i18n/locale";

interface ShortCanvasProps {
  /** Spendable credits. */
  balance: number;
  n: number;
  /** Whether a form was just refused for it. */
  wasRefused: boolean;
  /** Whether this installation sells credits. */
  canBuy: boolean;
  locale: Locale;
}

/** Says how many credits are missing, and where to get them. */
export function ShortCanvas({ balance, n, wasRefused, canBuy, locale }: ShortCanvasProps) {
  const t = useTranslations();
  const required = n * CREDITS_PER_IMAGE;
  const message = (
    <div className="failure" role={wasRefused ? "alert" : undefined}>
      <Art name="short-of-credits" />
      <div className="stack stack-2">
        <h2 id="canvas-title">{t("generator.short.title", { missing: required - balance })}</h2>
        <p className="lead">
          {t("generator.short.text", { balance, count: n, required })}
          {wasRefused ? ` ${t("generator.short.refused")}` : ""}
        </p>
      </div>
      {canBuy ? (
        <ButtonLink size="large" href={`/${locale}/pricing`}>
          {t("generator.short.buy")}
        </ButtonLink>
      ) : null}
    </div>
  );
  return (
    <section className="canvas" aria-labelledby="canvas-title">
      {wasRefused ? <Refusal className="grid flex-1">{message}</Refusal> : message}
    </section>
  );
}
