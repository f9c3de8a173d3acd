import { applyKeptReturns, dropKeptReturns } from "~/models/admin/billing-actions.server";
import {
  type KnownReturn,
  listKept,
  listReturnsOf,
} from "~/models/billing/returns/known-returns.server";
import { formatAmount } from "~/utils/money";
import { runCommand, UsageError } from "../lib/command";
import { operatorActor, operatorEvent } from "../lib/operator-event";
import { PROVIDER_VALUES, requireProvider } from "../lib/provider-option";
import { runSubcommand, type Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";

const OF_PAYMENT = { type: "string", value: PROVIDER_VALUES, help: "whose payment it is" } as const;

const list: Subcommand = {
  summary: "list the kept ones: refunds and disputes whose payment or share is unknown here",
  run: (args) =>
    runCommand(
      {
        name: "billing returns list",
        usage: `Lists refunds and disputes that are kept: their payment is unknown here, or they are in another currency
than it, and nobody said what was charged in theirs.`,
        options: {},
        async run({ print }) {
          const kept = await withDatabase((db) => listKept({}, db));
          for (const row of kept) print(describe(row));
          print(`${kept.length} kept`);
          return 0;
        },
      },
      args,
    ),
};

const show: Subcommand = {
  summary: "show every refund and dispute of a payment, with its state",
  run: (args) =>
    runCommand(
      {
        name: "billing returns show",
        usage: `Shows every refund and dispute of a payment, by any id that the provider gives the payment.`,
        positionals: ["payment"],
        options: { provider: OF_PAYMENT },
        async run({ values, positionals: [paymentId = ""], print }) {
          const provider = requireProvider(values.provider);
          const rows = await withDatabase((db) => listReturnsOf({ provider, paymentId }, db));
          if (rows.length === 0)
            throw new Error(`no refund or dispute of the payment ${paymentId} is on record here`);
          for (const row of rows) print(describe(row));
          return 0;
        },
      },
      args,
    ),
};

const apply: Subcommand = {
  summary: "try the kept ones again, also by customer, amount and time",
  run: (args) =>
    runCommand(
      {
        name: "billing returns apply",
        usage: `Looks for the payments of kept refunds and disputes again, also by customer, amount and time where
exactly one paid period fits. Maintenance does so by their ids alone.`,
        options: {},
        async run({ print }) {
          const [matched, left] = await withDatabase(async (db) => [
            await applyKeptReturns({ actor: operatorActor() }, db),
            (await listKept({}, db)).length,
          ]);
          if (matched > 0) operatorEvent("billing returns apply", { matched });
          print(`${matched} applied, ${left} kept`);
          return left === 0 ? 0 : 1;
        },
      },
      args,
    ),
};

const drop: Subcommand = {
  summary: "stop listing the kept ones of a payment that isn't yours",
  run: (args) =>
    runCommand(
      {
        name: "billing returns drop",
        usage: `Drops the kept refunds and disputes of a payment that is none of this installation's: they are not
listed, warned of or tried any more. Needs a reason, for the record.`,
        positionals: ["payment"],
        options: {
          provider: OF_PAYMENT,
          reason: { type: "string", value: "text", help: "why, for the record" },
        },
        async run({ values, positionals: [paymentId = ""], print }) {
          const provider = requireProvider(values.provider);
          const reason = values.reason?.trim();
          if (!reason) throw new UsageError("drop needs --reason");
          const actor = operatorActor();
          const dropped = await withDatabase((db) =>
            dropKeptReturns({ actor, provider, paymentId, reason }, db),
          );
          if (dropped === 0) throw new Error(`no kept return of the payment ${paymentId} is here`);
          operatorEvent("billing returns drop", { provider, paymentId, reason, dropped });
          print(`${dropped} dropped`);
          return 0;
        },
      },
      args,
    ),
};

/** Refunds and disputes, as the operator sees them. */
export const returns: Subcommand = {
  summary: "list, show, apply or drop refunds and disputes whose payment is unknown here",
  run: (args) =>
    runSubcommand(
      {
        name: "billing returns",
        usage: "Looks at refunds and disputes, and settles those whose payment was unknown here.",
        commands: { list, show, apply, drop },
      },
      args,
    ),
};

function describe(row: KnownReturn): string {
  const { provider, providerPaymentId, providerReturnId, kind, state, amount, currency } = row;
  const name = providerReturnId ?? "cumulative figure";
  const owner = row.orderId
    ? `order ${row.orderId} of user ${row.userId}`
    : row.periodId
      ? `period ${row.periodId} of user ${row.userId}`
      : row.droppedReason === null
        ? "kept"
        : `dropped: ${row.droppedReason}`;
  return [
    ...[provider, `payment ${providerPaymentId}`, `${kind} ${name}`, state],
    ...[formatAmount({ amount, currency }), `heard of ${row.heardAt.toISOString()}`, owner],
  ].join("  ");
}
