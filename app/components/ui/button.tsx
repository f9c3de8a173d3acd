import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from "react";

export type ButtonLook =
  /** The page's main action; one on each page. */
  | "primary"
  | "secondary"
  /** A text that can be pressed. */
  | "quiet"
  /** Destroys something, and the page says what. */
  | "danger"
  /** Leads to a page that destroys something once confirmed. */
  | "danger-quiet";

const LOOKS: Record<ButtonLook, string> = {
  primary: "btn",
  secondary: "btn btn-2",
  quiet: "btn btn-3",
  danger: "btn btn-bad",
  "danger-quiet": "btn btn-bad-2",
};

type ButtonSize = "small" | "normal" | "large";

const SIZES: Record<ButtonSize, string> = { small: "btn-sm", normal: "", large: "btn-lg" };

interface Looks {
  look?: ButtonLook | undefined;
  size?: ButtonSize | undefined;
  /** Fills the width of its surroundings. */
  wide?: boolean | undefined;
}

/** Returns the classes of a button. */
export function buttonClass({ look = "primary", size = "normal", wide = false }: Looks): string {
  return [LOOKS[look], SIZES[size], wide ? "btn-wide" : ""].filter(Boolean).join(" ");
}

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & Looks;

export function Button({ look, size, wide, className = "", ...props }: ButtonProps) {
  const looks = buttonClass({ look, size, wide });
  return <button type="submit" className={`${looks} ${className}`.trim()} {...props} />;
}

type ButtonLinkProps = AnchorHTMLAttributes<HTMLAnchorElement> &
  Looks & { href: string; children: ReactNode };

/** A link that looks like a button: it navigates and never changes data. */
export function ButtonLink({ look, size, wide, className = "", ...props }: ButtonLinkProps) {
  const looks = buttonClass({ look, size, wide });
  return <a className={`${looks} ${className}`.trim()} {...props} />;
}
