import type { ReactNode } from "react";

type Tone = "info" | "success" | "warning" | "danger";

const TONES: Record<Tone, string> = {
  info: "border-accent bg-accent-surface",
  success: "border-success bg-success-surface",
  warning: "border-warning bg-warning-surface",
  danger: "border-danger bg-danger-surface",
};

/** A message about the whole page or form; screen readers read it out when it appears. */
export function Notice({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <div
      role={tone === "danger" ? "alert" : "status"}
      className={`rounded-md border px-4 py-3 text-base ${TONES[tone]}`}
    >
      {children}
    </div>
  );
}
