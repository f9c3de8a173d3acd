import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  allowSupport,
  getSupportUntil,
  refuseSupport,
} from "~/models/accounts/support-access.server";
import {
  removeUserFactors,
  signOutAll,
  verifyUserAddress,
} from "~/models/admin/account-actions.server";
import {
  applyKeptReturns,
  closePaymentReturn,
  reconcileAs,
} from "~/models/admin/billing-actions.server";
import { repairUser } from "~/models/admin/credit-actions.server";
import { searchUsers } from "~/models/admin/find-users.server";
import { noteFigures } from "~/models/admin/note-figures.server";
import {
  recordMigrations,
  recordPortal,
  recordRestore,
} from "~/models/admin/outside-actions.server";
import { lookAtContent } from "~/models/admin/user-content.server";
import { lookAtUser } from "~/models/admin/user-page.server";
import { retryAllEmails, retryFailedJobs } from "~/models/admin/work-actions.server";
import { AUDIT_ACTIONS, type AuditAction } from "~/models/audit/audit-actions";
import type { Outcome } from "~/models/billing/reconciliation/run-reconciliation.server";
import { addJob } from "~/models/jobs/add-job.server";
import type { BillingRecords } from "~/services/payments/billing-records.server";
import { PRICES } from "../../fixtures/payments";
import { ADMIN_CASES } from "../../helpers/admin-cases";
import { applyEvents, orderDisputed, packCheckout, setUpBillingEnv } from "../../helpers/billing";
import { createLot, createUser, openLedger } from "../../helpers/credits";
import { silenceLog } from "../../helpers/silence-log";

setUpBillingEnv();
silenceLog();
const ledger = openLedger();
const actor = "operator:test";
const reason = "a test of the rows";

/** The parts of a row that differ from those of an act on the person, by the operator, without more. */
interface Told {
  actor?: string;
  subjectUserId?: null;
  subject?: string | null;
  before?: object;
  after?: object;
  reason?: string;
}

interface Planted {
  act: () => Promise<unknown>;
  /** Its parts, once it was done. */
  row: Told | (() => Told | Promise<Told>);
  /** It is done again when it is asked for again, and this is what its row says. */
  again?: Told;
}

type Plant = (userId: string) => Promise<Planted>;
const sql = (text: string, ...values: unknown[]) => ledger.db.$executeRawUnsafe(text, ...values);

async function insert(text: string, ...values: unknown[]): Promise<string> {
  const [row] = await ledger.db.$queryRawUnsafe<{ id: string }[]>(text, ...values);
  return row?.id ?? "";
}

const plantSessions = (userId: string) =>
  sql(
    `INSERT INTO sessions (user_id, token_hash, expires_at)
     SELECT $1::uuid, sha256(convert_to($2 || n, 'UTF8')), now() + interval '1 day' FROM generate_series(1, 2) AS n`,
    userId,
    randomUUID(),
  );

const letSupport = (userId: string) =>
  sql("UPDATE users SET support_until = now() + interval '1 day' WHERE id = $1::uuid", userId);

const plantEmail = (userId: string) =>
  insert(
    `INSERT INTO outbox_emails (user_id, kind, recipient, locale)
     VALUES ($1::uuid, 'account_deleted', 'person@example.com', 'en') RETURNING id::text`,
    userId,
  );

/** An act that changes nothing, and leaves a row each time. */
const look = (act: () => Promise<unknown>, row: Told = {}): Planted => ({ act, row, again: row });

/** A provider's records that have this payment alone. */
function recordsWith(checkout: ReturnType<typeof packCheckout>): BillingRecords {
  async function* nothing() {}
  return {
    name: "stripe",
    async *listPayments() {
      yield [checkout];
    },
    listCharges: nothing,
    listReturns: nothing,
    listSubscriptions: nothing,
    listPaidInvoices: nothing,
    findSubscription: async () => null,
    listPaidPeriods: async () => [],
    findCheckout: async () => null,
  };
}

/** The actions of the admin pages. tests/integration/admin/admin-actions.test.ts does each, and a replay twice. */
const OF_PAGES = [
  ...Object.values(ADMIN_CASES).flatMap(({ leaves }) => leaves.map(({ action }) => action)),
  "delivery_repeated",
];

/** Every other action, once where it does something. */
const CASES: Partial<Record<AuditAction, Plant>> = {
  async ledger_repaired(userId) {
    await createLot(ledger.db, userId, 5);
    await sql("UPDATE credit_accounts SET balance = balance + 3 WHERE user_id = $1::uuid", userId);
    const asked = { actor, operator: "test", userId, reason, apply: true };
    const row = { before: { balance: "8" }, after: { balance: "5" }, reason };
    return { act: () => repairUser(asked, ledger.db), row };
  },
  user_viewed: async (userId) => look(() => lookAtUser({ actor, userId }, ledger.db)),
  async content_viewed(userId) {
    await letSupport(userId);
    return look(() => lookAtContent({ actor, userId, cursor: null }, ledger.db));
  },
  people_searched: async (userId) =>
    look(() => searchUsers({ actor, text: userId }, ledger.db), {
      after: { by: "id", found: [userId] },
    }),
  async figures_viewed() {
    const after = { day: "2026-10-31", figure: "revenue" };
    return look(() => noteFigures({ actor, ...after }, ledger.db), { subjectUserId: null, after });
  },
  support_allowed: async (userId) => ({
    act: () => allowSupport(userId, ledger.db),
    async row() {
      const until = await getSupportUntil(userId, ledger.db);
      return { actor: userId, after: { until: until?.toISOString() } };
    },
  }),
  async support_refused(userId) {
    await letSupport(userId);
    return { act: () => refuseSupport(userId, ledger.db), row: { actor: userId } };
  },
  async everybody_signed_out(userId) {
    await plantSessions(userId);
    const sessionsEnded = await ledger.db.session.count();
    const row = (ended: number) => ({ subjectUserId: null, after: { sessionsEnded: ended } });
    return {
      act: () => signOutAll({ actor }, ledger.db),
      row: row(sessionsEnded),
      again: row(0),
    };
  },
  async factors_removed(userId) {
    await plantSessions(userId);
    await sql(
      `INSERT INTO passkeys (user_id, credential_id, public_key, backed_up, name)
       VALUES ($1::uuid, 'of-' || $1, '\\x00', true, 'A key')`,
      userId,
    );
    return {
      act: () => removeUserFactors({ actor, userId, reason }, ledger.db),
      row: { after: { totp: false, passkeys: 1, sessionsEnded: 2 }, reason },
    };
  },
  address_verified: async (userId) => ({
    act: () => verifyUserAddress({ actor, userId, reason }, ledger.db),
    row: { reason },
  }),
  async billing_reconciled(userId) {
    const records = recordsWith(packCheckout(userId));
    const outcomes: Outcome[] = [];
    return {
      act: () =>
        reconcileAs(
          actor,
          {
            ...{ db: ledger.db, records, prices: PRICES, userId, site: "localhost:3000" },
            ...{ since: new Date(0), startedAt: new Date() },
          },
          {
            ...{ apply: true, checkouts: [], onProgress: () => {} },
            onOutcome: (outcome) => void outcomes.push(outcome),
          },
        ),
      row: () => ({
        subject: `stripe:${outcomes[0]?.object}`,
        after: { does: outcomes[0]?.repair?.does },
      }),
    };
  },
  async return_applied(userId) {
    const checkout = packCheckout(userId);
    await applyEvents(ledger.db, checkout);
    const id = await insert(
      `INSERT INTO payment_returns (provider, kind, provider_return_id, provider_payment_id, state, amount, currency,
         charged_amount)
       VALUES ('stripe', 'refund', $1, $2, 'succeeded', 100, 'usd', 500) RETURNING id::text`,
      `re_${randomUUID()}`,
      checkout.paymentId,
    );
    return {
      act: () => applyKeptReturns({ actor }, ledger.db),
      row: { subject: `return:${id}` },
    };
  },
  async return_closed(userId) {
    const checkout = packCheckout(userId);
    const dispute = orderDisputed(checkout, 500, { returnId: `dp_${userId}` });
    await applyEvents(ledger.db, checkout);
    await applyEvents(ledger.db, dispute);
    const paymentId = checkout.paymentId ?? "";
    const before = await ledger.db.creditAccount.findUniqueOrThrow({ where: { userId } });
    const closing = { actor, provider: "stripe", paymentId, kind: "dispute" } as const;
    return {
      act: () => closePaymentReturn({ ...closing, returnId: null }, ledger.db),
      async row() {
        const { balance } = await ledger.db.creditAccount.findUniqueOrThrow({ where: { userId } });
        const credits = balance - before.balance;
        expect(credits).toBeGreaterThan(0);
        const after = { kind: "dispute", returnId: `dp_${userId}`, credits };
        return { subject: `stripe:payment ${paymentId}`, after };
      },
    };
  },
  async portal_configured() {
    const asked = { actor, configuration: "bpc_1", status: "updated" };
    return look(() => recordPortal(asked, ledger.db), {
      ...{ subjectUserId: null, subject: "stripe:portal bpc_1", after: { status: "updated" } },
    });
  },
  async emails_retried(userId) {
    await sql("UPDATE outbox_emails SET sent_at = now()");
    await plantEmail(userId);
    await plantEmail(userId);
    const row = { subjectUserId: null, after: { count: 2 } };
    return look(() => retryAllEmails({ actor }, ledger.db), row);
  },
  async jobs_retried(userId) {
    const emailId = await plantEmail(userId);
    await ledger.db.$transaction((transaction) => addJob("emails", { emailId }, transaction));
    await sql("UPDATE pgboss.job SET state = 'failed' WHERE data->>'emailId' = $1", emailId);
    return {
      act: () => retryFailedJobs({ actor }, ledger.db),
      row: { subjectUserId: null, after: { count: 1 } },
    };
  },
  async database_migrated() {
    const names = ["0001_first"];
    return look(() => recordMigrations({ actor, names, how: "applied" }, ledger.db), {
      ...{ subjectUserId: null, after: { applied: names } },
    });
  },
  async database_restored() {
    const backedUpAt = "2026-10-31T00:00:00.000Z";
    return look(() => recordRestore({ actor, backedUpAt }, ledger.db), {
      ...{ subjectUserId: null, after: { backedUpAt } },
    });
  },
};

const listRows = (after: bigint) =>
  ledger.db.auditRow.findMany({ where: { id: { gt: after } }, orderBy: { id: "asc" } });

async function newestId(): Promise<bigint> {
  const { _max } = await ledger.db.auditRow.aggregate({ _max: { id: true } });
  return _max.id ?? 0n;
}

test("every action of the log has its case", () => {
  const cases = [...Object.keys(CASES), ...OF_PAGES];
  expect(cases.toSorted()).toEqual(Object.keys(AUDIT_ACTIONS).toSorted());
});

test.each(Object.entries(CASES))(
  "%s leaves its row once, with whom it is about, and what was before and after",
  async (action, plant) => {
    const person = await createUser(ledger.db);
    const { act, row, again } = await plant(person);
    const rowOf = (told: Told) => ({
      ...{ actor, action, subjectUserId: person, subject: null, before: null, after: null },
      ...{ reason: null, ...told },
    });
    const start = await newestId();
    await act();
    const first = rowOf(typeof row === "function" ? await row() : row);
    const left = async () =>
      (await listRows(start)).map(
        ({ id: _, network: _n, requestId: _r, createdAt: _c, ...told }) => told,
      );
    expect(await left()).toEqual([first]);
    await act();
    expect(await left()).toEqual(again ? [first, rowOf(again)] : [first]);
  },
);
