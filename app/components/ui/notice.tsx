import type { ReactNode } from "react";
import { Coin } from "~/components/ui/coin";
import { Icon, type IconName } from "~/components/ui/icon";

export type NoticeTone = "info" | "good" | "warn" | "bad" | "coin";

const TONES: Record<NoticeTone, { className: string; icon: IconName | null }> = {
  info: { className: "notice", icon: "info" },
  good: { className: "notice notice-good", icon: "check" },
  warn: { className: "notice notice-warn", icon: "alert" },
  bad: { className: "notice notice-bad", icon: "alert" },
  coin: { className: "notice notice-coin", icon: null },
};

interface NoticeProps {
  tone: NoticeTone;
  /** Says what happened, in one sentence. */
  title?: ReactNode;
  children?: ReactNode;
  /** A small button or link at the end. */
  action?: ReactNode;
}

/** A message about the whole page or form; screen readers read it out when it appears. */
export function Notice({ tone, title, children, action }: NoticeProps) {
  const { className, icon } = TONES[tone];
  return (
    <div role={tone === "bad" ? "alert" : "status"} className={className}>
      {icon ? <Icon name={icon} /> : <Coin />}
      <div className="notice-text">
        {title ? <b>{title}</b> : null}
        {children}
      </div>
      {action}
    </div>
  );
}
