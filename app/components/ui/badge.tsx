import type { ReactNode } from "react";
import { Icon, type IconName } from "~/components/ui/icon";

/** The meaning of a badge's colour; `coin` is for credits alone. */
export type BadgeTone = "neutral" | "accent" | "coin" | "good" | "warn" | "bad";

const TONES: Record<BadgeTone, string> = {
  neutral: "badge",
  accent: "badge badge-accent",
  coin: "badge badge-coin",
  good: "badge badge-good",
  warn: "badge badge-warn",
  bad: "badge badge-bad",
};

interface BadgeProps {
  tone?: BadgeTone;
  icon?: IconName;
  children: ReactNode;
}

/** A short state beside a name: "Paid", "Private". */
export function Badge({ tone = "neutral", icon, children }: BadgeProps) {
  return (
    <span className={TONES[tone]}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </span>
  );
}
