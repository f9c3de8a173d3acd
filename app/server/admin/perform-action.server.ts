import { z } from "zod";
import type { ValidationKey } from "~/i18n/validation-key";
import {
  disableUser,
  enableUser,
  revokeUserKey,
  signOutUser,
} from "~/models/admin/account-actions.server";
import {
  applyKeptReturns,
  dropKeptReturns,
  endSubscriptionAs,
  replayDelivery,
} from "~/models/admin/billing-actions.server";
import { adjustUser } from "~/models/admin/credit-actions.server";
import { isOnPage } from "~/models/admin/page-targets.server";
import { reconcileUser } from "~/models/admin/reconcile-user.server";
import { dropJob, retryEmail, retryJob } from "~/models/admin/work-actions.server";
import { findKeptReturn } from "~/models/billing/returns/known-returns.server";
import {
  type ActionOutcome,
  TYPED_TWICE_ABOVE,
  USER_ACTION_NAMES,
  USER_ACTIONS,
  type UserAction,
} from "~/server/admin/user-actions";
import { AppError } from "~/utils/app-error";

const needed: ValidationKey = "validation.required";

/** The fields of an action's form; `key` makes a form that is sent twice one adjustment. */
export const actionSchema = z
  .object({
    do: z.enum(USER_ACTION_NAMES),
    target: z.uuid().optional(),
    key: z.uuid(),
    amount: z
      .string()
      .regex(/^[+-]?[1-9]\d{0,8}$/, { error: "validation.amountInvalid" satisfies ValidationKey })
      .transform(Number)
      .optional(),
    amountAgain: z.string().trim().optional(),
    // PostgreSQL takes no NUL in a text.
    reason: z
      .string()
      .transform((text) => text.replaceAll("\0", ""))
      .pipe(z.string().trim().max(300))
      .optional(),
  })
  .superRefine((form, context) => {
    const note = (path: string, message: ValidationKey) =>
      context.addIssue({ code: "custom", path: [path], message });
    const { target, fields } = USER_ACTIONS[form.do];
    if (target !== null && !form.target) note("target", needed);
    const asked: readonly string[] = fields;
    if (asked.includes("reason") && !form.reason) note("reason", needed);
    if (!asked.includes("amount")) return;
    if (form.amount === undefined) note("amount", needed);
    else if (Math.abs(form.amount) > TYPED_TWICE_ABOVE && Number(form.amountAgain) !== form.amount)
      note("amountAgain", "validation.amountsDiffer");
  });

type ActionForm = z.output<typeof actionSchema>;

interface Performed extends ActionForm {
  actor: string;
  userId: string;
}

/** Does what an admin asked for, by the function that the operator's command calls. Nothing to another person's object. */
export async function performAction(asked: Performed): Promise<ActionOutcome> {
  const { userId, target } = asked;
  const list = USER_ACTIONS[asked.do].target;
  if (list && target && !(await isOnPage({ userId, list, id: target }))) return "nothing";
  return PERFORM[asked.do](asked);
}

const isDone = (done: boolean): ActionOutcome => (done ? "done" : "nothing");

const PERFORM: Record<UserAction, (asked: Performed) => Promise<ActionOutcome>> = {
  async adjust({ actor, userId, amount = 0, key, reason = "" }) {
    const result = await adjustUser({ actor, userId, amount, key: `admin-${key}`, reason });
    // The same form once more was done; one that was changed since was not.
    if (result.status === "duplicate") return isDone(result.transaction.amount === amount);
    return result.status === "adjusted" ? "done" : result.status;
  },
  async reconcile({ actor, userId }) {
    const outcomes = await reconcileUser({ actor, userId, apply: true });
    if (outcomes.some(({ failure }) => failure !== null)) return "failed";
    return isDone(outcomes.some(({ applied }) => applied));
  },
  async end_subscription({ actor, userId, target = "", reason = "" }) {
    try {
      const asked = { actor, userId, subscriptionId: target, reason };
      const result = await endSubscriptionAs(asked);
      if (result.status !== "ended") return "nothing";
      if (result.isUnknownThere) return "unknown_there";
      return isDone(result.wasRunning || result.credits > 0);
    } catch (error) {
      if (error instanceof AppError) return "unconfirmed";
      throw error;
    }
  },
  async sign_out(asked) {
    await signOutUser(onAccount(asked));
    return "done";
  },
  async disable(asked) {
    return isDone((await disableUser(onAccount(asked))).status === "disabled");
  },
  async enable(asked) {
    return isDone((await enableUser(onAccount(asked))).status === "enabled");
  },
  async replay({ actor, target = "" }) {
    const result = await replayDelivery({ actor, id: target });
    if (result?.status === "failed") return "failed";
    return isDone(result?.status === "processed");
  },
  async apply_return({ actor, target = "" }) {
    return isDone((await applyKeptReturns({ actor, returnId: target })) > 0);
  },
  async drop_return({ actor, target = "", reason = "" }) {
    const kept = await findKeptReturn(target);
    if (!kept) return "nothing";
    const { provider, providerPaymentId: paymentId } = kept;
    return isDone((await dropKeptReturns({ actor, provider, paymentId, reason })) > 0);
  },
  async retry_email({ actor, target = "" }) {
    return isDone(await retryEmail({ actor, id: target }));
  },
  async retry_job({ actor, target = "" }) {
    return isDone(await retryJob({ actor, id: target }));
  },
  async drop_job({ actor, target = "" }) {
    return isDone(await dropJob({ actor, id: target }));
  },
  async revoke_key({ target = "", ...asked }) {
    return isDone(await revokeUserKey({ ...onAccount(asked), keyId: target }));
  },
};

function onAccount({ actor, userId, reason }: Pick<Performed, "actor" | "userId" | "reason">) {
  return { actor, userId, ...(reason ? { reason } : {}) };
}
