/** An admin's actions on a person. */
export const USER_ACTIONS = {
  adjust: { target: null, fields: ["amount", "amountAgain", "reason"], isFinal: true },
  reconcile: { target: null, fields: [], isFinal: true },
  end_subscription: { target: "subscriptions", fields: ["reason"], isFinal: true },
  sign_out: { target: null, fields: ["reason"], isFinal: true },
  disable: { target: null, fields: ["reason"], isFinal: false },
  enable: { target: null, fields: ["reason"], isFinal: false },
  replay: { target: "deliveries", fields: [], isFinal: false },
  apply_return: { target: "kept", fields: [], isFinal: true },
  drop_return: { target: "kept", fields: ["reason"], isFinal: true },
  retry_email: { target: "emails", fields: [], isFinal: false },
  retry_job: { target: "jobs", fields: [], isFinal: false },
  drop_job: { target: "jobs", fields: [], isFinal: true },
  revoke_key: { target: "keys", fields: ["reason"], isFinal: true },
} as const satisfies Record<
  string,
  {
    /** The list that holds its object; null for the person. */
    target: "subscriptions" | "deliveries" | "kept" | "emails" | "jobs" | "keys" | null;
    fields: readonly ("amount" | "amountAgain" | "reason")[];
    /** It can't be undone. */
    isFinal: boolean;
  }
>;

export type UserAction = keyof typeof USER_ACTIONS;

export const USER_ACTION_NAMES = Object.keys(USER_ACTIONS) as UserAction[];

/** Above this many credits, the amount is typed twice. */
export const TYPED_TWICE_ABOVE = 1_000;

/** How an action ended: each has its text. */
export type ActionOutcome =
  | "done"
  /** There was nothing to do it to any more. */
  | "nothing"
  | "insufficient"
  | "faulty"
  /** The provider didn't confirm it. */
  | "unconfirmed"
  /** The provider doesn't have it: it was done here alone. */
  | "unknown_there"
  /** The action's effects failed and were undone. */
  | "failed";
