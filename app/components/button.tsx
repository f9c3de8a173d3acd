import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from "react";

type Look = "primary" | "secondary" | "danger";

const BASE =
  "inline-flex min-h-10 items-center justify-center gap-2 rounded-md border px-4 text-base font-medium no-underline disabled:cursor-not-allowed disabled:opacity-60";

const LOOKS: Record<Look, string> = {
  primary: "border-transparent bg-accent text-on-accent hover:bg-accent-strong",
  secondary: "border-line-strong bg-page text-ink hover:bg-surface",
  danger: "border-danger bg-page text-danger hover:bg-danger-surface",
};

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look };

export function Button({ look = "primary", className = "", ...props }: ButtonProps) {
  return <button type="submit" className={`${BASE} ${LOOKS[look]} ${className}`} {...props} />;
}

/** A link that looks like a button: it navigates and never changes data. */
export function ButtonLink({
  look = "primary",
  className = "",
  ...props
}: AnchorHTMLAttributes<HTMLAnchorElement> & { look?: Look }) {
  return <a className={`${BASE} ${LOOKS[look]} ${className}`} {...props} />;
}
