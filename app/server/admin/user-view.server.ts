import type { PaymentProviderName } from "~/env/payments";
import { getEnv } from "~/env.server";
import type { UserPage } from "~/models/admin/user-page.server";
import { type AuditAction, LOOKS } from "~/models/audit/audit-actions";
import { describeStory } from "~/models/credits/describe-row";
import { JOB_KINDS, JOB_NAMES } from "~/models/jobs/job-kinds";
import type { UserAction } from "~/server/admin/user-actions";
import { dashboardLink } from "~/services/payments/dashboard-links";
import { formatAmount } from "~/utils/money";
import { orderNumber } from "~/utils/order-number";

/** A cell of a table: words of the systems stay as they are. */
export type AdminCell =
  | string
  | number
  | Date
  | null
  | { text: string; href: string | null }
  | { action: AuditAction };

export interface AdminSection {
  name: SectionName;
  columns: ColumnName[];
  rows: {
    id: string;
    cells: AdminCell[];
    actions: UserAction[];
    /** Somebody looks for it, whatever came after it: it failed, it waits, or it tells what an admin did. */
    isWanted: boolean;
  }[];
}

export type SectionName =
  | "lots"
  | "movements"
  | "orders"
  | "subscriptions"
  | "runs"
  | "keys"
  | "deliveries"
  | "rejections"
  | "kept"
  | "emails"
  | "jobs"
  | "sessions"
  | "audit";

export type ColumnName =
  | "when"
  | "what"
  | "state"
  | "credits"
  | "balance"
  | "amount"
  | "tries"
  | "error"
  | "until"
  | "seen"
  | "by"
  | "reason"
  | "atProvider";

type Row = AdminSection["rows"][number];

const row = (
  id: string | bigint,
  cells: AdminCell[],
  { actions = [], isWanted = false }: Partial<Pick<Row, "actions" | "isWanted">> = {},
): Row => ({ id: String(id), cells, actions, isWanted });

/** Makes the tables of a person's page. */
export function sectionsOf(page: UserPage): AdminSection[] {
  return [
    { name: "lots", columns: ["what", "credits", "until"], rows: page.lots.map(lotRow) },
    {
      name: "orders",
      columns: ["when", "what", "state", "amount", "credits", "atProvider"],
      rows: page.orders.map(orderRow),
    },
    {
      name: "subscriptions",
      columns: ["when", "what", "state", "until", "atProvider"],
      rows: page.subscriptions.map(subscriptionRow),
    },
    {
      name: "deliveries",
      columns: ["when", "what", "state", "tries", "error"],
      rows: page.deliveries.map((one) =>
        row(
          one.id,
          [
            one.receivedAt,
            `${one.provider} ${one.eventType}`,
            one.status,
            one.attempts,
            one.lastError,
          ],
          { actions: ["replay"], isWanted: one.status !== "processed" },
        ),
      ),
    },
    {
      name: "rejections",
      columns: ["when", "what", "reason", "tries"],
      rows: page.rejections.map(({ hour, provider, reason, count }) =>
        row(`${hour.toISOString()} ${provider} ${reason}`, [hour, provider, reason, count]),
      ),
    },
    {
      name: "kept",
      columns: ["when", "what", "state", "amount", "atProvider"],
      rows: page.kept.map(keptRow),
    },
    {
      name: "movements",
      columns: ["when", "what", "credits", "balance"],
      rows: page.movements.map((one) =>
        row(one.id, [one.createdAt, describeStory(one), one.amount, one.balanceAfter]),
      ),
    },
    {
      name: "runs",
      columns: ["when", "what", "state", "credits", "error"],
      rows: page.runs.map((one) => {
        const credits = one.status === "reserved" ? one.creditsReserved : one.creditsCharged;
        const what = [one.action, one.provider, one.id].filter(Boolean).join(" ");
        return row(one.id, [one.createdAt, what, one.status, credits, one.error]);
      }),
    },
    {
      name: "keys",
      columns: ["when", "what", "until"],
      rows: page.keys.map((one) =>
        row(one.id, [one.createdAt, `${one.prefix}…`, one.expiresAt], { actions: ["revoke_key"] }),
      ),
    },
    {
      name: "emails",
      columns: ["when", "what", "state", "tries", "error"],
      rows: page.emails.map(emailRow),
    },
    {
      name: "jobs",
      columns: ["when", "what", "state", "tries", "error"],
      rows: page.jobs.map(jobRow),
    },
    {
      name: "sessions",
      columns: ["when", "seen"],
      rows: page.sessions.map((one) => row(one.id, [one.createdAt, one.lastSeenAt])),
    },
    {
      name: "audit",
      columns: ["when", "what", "by", "reason"],
      rows: page.audit.map((one) =>
        row(one.id, [one.createdAt, { action: one.action }, one.actor, one.reason], {
          isWanted: !LOOKS.includes(one.action),
        }),
      ),
    },
  ];
}

function lotRow(lot: UserPage["lots"][number]): Row {
  return row(lot.id, [lot.source, lot.remaining, lot.expiresAt]);
}

function orderRow(order: UserPage["orders"][number]): Row {
  const { id, createdAt, skuKey, status, amount, currency, credits, provider } = order;
  const payment = order.providerPaymentId;
  return row(id, [
    createdAt,
    `${skuKey}, ${orderNumber(id)}`,
    ...[status, formatAmount({ amount: Number(amount), currency }), credits],
    payment ? link(provider, "payments", payment) : order.providerCheckoutId,
  ]);
}

function subscriptionRow(subscription: UserPage["subscriptions"][number]): Row {
  const { id, createdAt, planKey, period, status, provider, providerSubscriptionId } = subscription;
  const until = subscription.endedAt ?? subscription.currentPeriodEnd;
  const ends = subscription.cancelAtPeriodEnd ? `${status}, cancels at its end` : status;
  const isEndable = status !== "canceled" || subscription.periods.some(hasRunningMonth);
  return row(
    id,
    [
      ...[createdAt, `${planKey}, ${period}`, ends, until],
      link(provider, "subscriptions", providerSubscriptionId),
    ],
    { actions: isEndable ? ["end_subscription"] : [] },
  );
}

type Period = UserPage["subscriptions"][number]["periods"][number];

/** Whether a month that it gave credits for isn't over, so that some may be left. */
function hasRunningMonth({ startsAt, grantedFor, grantedCredits }: Period): boolean {
  return (
    startsAt.getTime() + Number(grantedFor ?? 0) > Date.now() && Number(grantedCredits ?? 0) > 0
  );
}

function keptRow(kept: UserPage["kept"][number]): Row {
  const { id, heardAt, kind, state, amount, currency, provider, providerPaymentId } = kept;
  return row(
    id,
    [
      ...[heardAt, kind, state, formatAmount({ amount, currency })],
      link(provider, "payments", providerPaymentId),
    ],
    { actions: ["apply_return", "drop_return"] },
  );
}

function emailRow(email: UserPage["emails"][number]): Row {
  const { id, createdAt, kind, state, attempts, lastError } = email;
  const isUnsent = state !== "sent";
  return row(id, [createdAt, kind, state, attempts, lastError], {
    actions: isUnsent ? ["retry_email"] : [],
    isWanted: isUnsent,
  });
}

/** Kinds that may be done twice. */
const REPEATABLE: string[] = JOB_NAMES.filter((name) => JOB_KINDS[name].retries > 0);

function jobRow(job: UserPage["jobs"][number]): Row {
  const { id, createdAt, name, state, attempts, error } = job;
  const isWaiting = state === "created" || state === "retry";
  const isRetried =
    REPEATABLE.includes(name) && (isWaiting || state === "failed" || state === "cancelled");
  const actions: UserAction[] = [
    ...(isRetried ? (["retry_job"] as const) : []),
    ...(isWaiting ? (["drop_job"] as const) : []),
  ];
  const isWanted = state === "failed" || state === "retry";
  return row(id, [createdAt, name, state, attempts, error], { actions, isWanted });
}

function link(provider: string, thing: "payments" | "subscriptions", id: string): AdminCell {
  const { stripe } = getEnv().payments;
  const isLive = !/^[rs]k_test_/.test(stripe.secretKey ?? "");
  // The tables hold a provider's name as text.
  const href = dashboardLink(provider as PaymentProviderName, { thing, id, isLive });
  return { text: id, href };
}
