import type { RunFault } from "~/models/metering/runs.server";

const DETAIL: Record<RunFault, string> = {
  prompt_rejected:
    "The prompt breaks the provider's content rules. We refunded you in full. Change it and try again.",
  generation_failed: "It didn't work. We refunded you in full. Try again in a moment.",
};

/** Says why a run was refunded. */
export const faultDetail = (fault: RunFault): string => DETAIL[fault];
