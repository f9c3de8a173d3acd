import type { ActionOutcome, UserAction } from "~/server/admin/user-actions";
import type { ColumnName, SectionName } from "~/server/admin/user-view.server";

/** The texts of each action: its name, what it does, and that it is done. */
export const ACTION_WORDS = {
  adjust: {
    name: "admin.do.adjust",
    consequence: "admin.consequence.adjust",
    done: "admin.done.adjust",
  },
  reconcile: {
    name: "admin.do.reconcile",
    consequence: "admin.consequence.reconcile",
    done: "admin.done.reconcile",
  },
  end_subscription: {
    name: "admin.do.end_subscription",
    consequence: "admin.consequence.end_subscription",
    done: "admin.done.end_subscription",
  },
  sign_out: {
    name: "admin.do.sign_out",
    consequence: "admin.consequence.sign_out",
    done: "admin.done.sign_out",
  },
  disable: {
    name: "admin.do.disable",
    consequence: "admin.consequence.disable",
    done: "admin.done.disable",
  },
  enable: {
    name: "admin.do.enable",
    consequence: "admin.consequence.enable",
    done: "admin.done.enable",
  },
  replay: {
    name: "admin.do.replay",
    consequence: "admin.consequence.replay",
    done: "admin.done.replay",
  },
  apply_return: {
    name: "admin.do.apply_return",
    consequence: "admin.consequence.apply_return",
    done: "admin.done.apply_return",
  },
  drop_return: {
    name: "admin.do.drop_return",
    consequence: "admin.consequence.drop_return",
    done: "admin.done.drop_return",
  },
  retry_email: {
    name: "admin.do.retry_email",
    consequence: "admin.consequence.retry_email",
    done: "admin.done.retry_email",
  },
  retry_job: {
    name: "admin.do.retry_job",
    consequence: "admin.consequence.retry_job",
    done: "admin.done.retry_job",
  },
  drop_job: {
    name: "admin.do.drop_job",
    consequence: "admin.consequence.drop_job",
    done: "admin.done.drop_job",
  },
  revoke_key: {
    name: "admin.do.revoke_key",
    consequence: "admin.consequence.revoke_key",
    done: "admin.done.revoke_key",
  },
} as const satisfies Record<UserAction, { name: string; consequence: string; done: string }>;

/** Why an action did nothing, or not all of it. */
export const OUTCOME_WORDS = {
  nothing: "admin.outcome.nothing",
  insufficient: "admin.outcome.insufficient",
  faulty: "admin.outcome.faulty",
  failed: "admin.outcome.failed",
  unconfirmed: "admin.outcome.unconfirmed",
  unknown_there: "admin.outcome.unknown_there",
} as const satisfies Record<Exclude<ActionOutcome, "done">, string>;

export const SECTION_WORDS = {
  lots: "admin.sections.lots",
  movements: "admin.sections.movements",
  orders: "admin.sections.orders",
  subscriptions: "admin.sections.subscriptions",
  runs: "admin.sections.runs",
  keys: "admin.sections.keys",
  deliveries: "admin.sections.deliveries",
  rejections: "admin.sections.rejections",
  kept: "admin.sections.kept",
  emails: "admin.sections.emails",
  jobs: "admin.sections.jobs",
  sessions: "admin.sections.sessions",
  audit: "admin.sections.audit",
} as const satisfies Record<SectionName, string>;

export const COLUMN_WORDS = {
  when: "admin.columns.when",
  what: "admin.columns.what",
  state: "admin.columns.state",
  credits: "admin.columns.credits",
  balance: "admin.columns.balance",
  amount: "admin.columns.amount",
  tries: "admin.columns.tries",
  error: "admin.columns.error",
  until: "admin.columns.until",
  seen: "admin.columns.seen",
  by: "admin.columns.by",
  reason: "admin.columns.reason",
  atProvider: "admin.columns.atProvider",
} as const satisfies Record<ColumnName, string>;
