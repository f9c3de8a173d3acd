import type { ActionKey } from "~/catalog";
import type { RunFault } from "~/models/metering/runs.server";

/** Words for a run that was refunded, by its action and the code of the synchronous response. */
const FAULT_DETAIL: Record<ActionKey, Record<RunFault, string>> = {
  image: {
    prompt_rejected:
      "The prompt breaks the image provider's content rules. We refunded you in full. Change it and try again.",
    generation_failed:
      "We couldn't generate any images. We refunded you in full. Try again in a moment.",
  },
  text: {
    prompt_rejected:
      "The prompt breaks the text provider's content rules. We refunded you in full. Change it and try again.",
    generation_failed:
      "We couldn't write the text. We refunded you in full. Try again in a moment.",
  },
};

/** Says why a run was refunded. */
export const faultDetail = (action: ActionKey, fault: RunFault): string =>
  FAULT_DETAIL[action][fault];
