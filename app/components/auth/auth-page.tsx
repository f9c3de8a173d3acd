import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { CREDITS_PER_IMAGE } from "~/catalog";

interface AuthPageProps {
  title: string;
  /** Leads to the other way: to sign up, or to sign in. */
  lead: ReactNode;
  /** Shows what the account is for, beside the form on wide screens. */
  hasImages: boolean;
  children: ReactNode;
}

/** Sign-in and sign-up: the form, and beside it samples of what the product makes. */
export function AuthPage({ title, lead, hasImages, children }: AuthPageProps) {
  return (
    <main id="main">
      <div className={hasImages ? "auth auth-split" : "auth"}>
        <div className="auth-form">
          <div className="stack stack-2">
            <h1>{title}</h1>
            <p className="muted">{lead}</p>
          </div>
          {children}
        </div>
        {hasImages ? <Samples /> : null}
      </div>
    </main>
  );
}

const SAMPLES = ["lake", "city", "fox", "bottle", "flow", "dunes"];

function Samples() {
  const t = useTranslations();
  return (
    <figure className="auth-picture">
      <div className="auth-samples">
        {SAMPLES.map((name) => (
          <img
            key={name}
            src={`/samples/${name}.svg`}
            width={600}
            height={600}
            alt=""
            loading="lazy"
          />
        ))}
      </div>
      <figcaption>
        <b>{t("home.badge", { cost: CREDITS_PER_IMAGE })}</b>
        <span>{t("auth.samples")}</span>
      </figcaption>
    </figure>
  );
}
