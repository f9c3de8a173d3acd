import { useTranslations } from "use-intl";
import type { UsedRun } from "~/models/accounts/usage.server";
import type { RunFault } from "~/models/metering/runs.server";

/** The keys of the texts that say why a run cost nothing. A fault without its text does not compile. */
export const FAULT_TEXTS = {
  prompt_rejected: "usage.promptRejected",
  generation_failed: "usage.generationFailed",
} as const satisfies Record<RunFault, string>;

/** Returns a function that says what became of a run. */
export function useRunResult(): (run: Pick<UsedRun, "status" | "error">) => string {
  const t = useTranslations();
  return ({ status, error }) => {
    const texts = {
      reserved: t("usage.running"),
      settled: t("usage.done"),
      refunded: t(FAULT_TEXTS[error ?? "generation_failed"]),
    };
    return texts[status];
  };
}
