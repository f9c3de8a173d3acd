import type { Database, DatabaseOrTransaction } from "~/db.server";
import { describeCause, describeLot, describeStory, signed } from "~/models/credits/describe-row";
import { type ExplainedRow, findRows } from "~/models/credits/find-rows.server";
import { getLotUses } from "~/models/credits/lot-uses.server";
import type { LedgerFault } from "~/models/credits/rule-set";
import { readStory, type StoryRow } from "~/models/credits/story.server";
import { listAllFaults } from "~/models/upkeep/audit.server";
import { runCommand } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { textTable } from "../lib/text-table";
import { withDatabase } from "../lib/with-database";
import { findUserId } from "./require-user-id";
import { describeFault } from "./verify";

export const explain: Subcommand = {
  summary: "tell the story of an account or of a movement",
  run: (args) =>
    runCommand(
      {
        name: "ledger explain",
        usage: `Prints why a balance is what it is, and changes nothing. For a user: every movement in the order of
time, with its cause and its lots, then the sums, and whether they add up. For a movement: its rows, and
each lot before and after. A movement is the id of a row, a source ('generation:<id>', 'run:<id>'), the id
of a run, an order or a paid period, or a provider's id of a payment. Exit code 0: it adds up. 1: it
doesn't, and the first wrong row is named.`,
        positionals: ["email|id|movement"],
        run: ({ positionals: [reference = ""], print }) =>
          withDatabase((db) => explainIn(reference, print, db)),
      },
      args,
    ),
};

type Print = (line: string) => void;

/** Explains from one snapshot: nothing that happens meanwhile can look like a fault. */
function explainIn(reference: string, print: Print, db: Database): Promise<number> {
  return db.$transaction(
    async (snapshot) => {
      await snapshot.$executeRaw`SET TRANSACTION READ ONLY`;
      const userId = await findUserId(reference, snapshot);
      if (userId) return explainAccount(userId, print, snapshot);
      const rows = await findRows(reference, snapshot);
      const [first] = rows;
      if (!first) throw new Error(`no user, movement, run, order or payment is ${reference}`);
      await explainRows(rows, print, snapshot);
      const ids = new Set(rows.map(({ id }) => id));
      const faults = await listAllFaults([first.userId], snapshot);
      return judge(
        faults.filter(({ transactionId }) => transactionId !== null && ids.has(transactionId)),
        print,
      );
    },
    { isolationLevel: "RepeatableRead", timeout: 60 * 60 * 1000 },
  );
}

/** Columns in fixed widths, so that a line is printed as soon as its row is read. */
function lineOf(row: StoryRow, sum: number): string {
  const { id, createdAt, type, amount } = row;
  return [
    createdAt.toISOString(),
    `row ${id}`.padEnd(12),
    type.padEnd(10),
    signed(amount).padStart(7),
    `= ${sum}`.padEnd(10),
    describeStory(row),
  ].join("  ");
}

async function explainAccount(
  userId: string,
  print: Print,
  snapshot: DatabaseOrTransaction,
): Promise<number> {
  print(`account ${userId}`);
  const sums = new Map<string, { rows: number; credits: number }>();
  let [count, sum] = [0, 0];
  for await (const row of readStory({ userId }, snapshot)) {
    sum += row.amount;
    count += 1;
    print(lineOf(row, sum));
    const { rows, credits } = sums.get(row.type) ?? { rows: 0, credits: 0 };
    sums.set(row.type, { rows: rows + 1, credits: credits + row.amount });
  }
  print("");
  const totals = [...sums, ["together", { rows: count, credits: sum }] as const];
  const cells = totals.map(([type, { rows, credits }]) => [type, `${rows}`, signed(credits)]);
  for (const line of textTable([["type", "rows", "credits"], ...cells])) print(line);
  return judge(await listAllFaults([userId], snapshot), print);
}

/** Prints rows with the lots they moved, and what else became of these lots. */
async function explainRows(
  rows: ExplainedRow[],
  print: Print,
  snapshot: DatabaseOrTransaction,
): Promise<void> {
  print(`account ${rows[0]?.userId}`);
  for (const row of rows) {
    const { id, createdAt, type, amount, balanceAfter, lots } = row;
    print(
      `${createdAt.toISOString()}  row ${id}  ${type} ${signed(amount)}, balance ${balanceAfter - amount} → ${balanceAfter}  ${describeCause(row)}`,
    );
    for (const lot of lots) print(`  lot ${lot.id}: ${lot.before} → ${lot.after}`);
  }
  const own = rows.filter(({ remaining }) => remaining !== null).map(({ id }) => id);
  const moved = rows.flatMap(({ lots }) => lots.map((lot) => lot.id));
  for (const lot of await getLotUses([...new Set([...own, ...moved])], snapshot))
    print(describeLot(lot));
}

function judge(faults: LedgerFault[], print: Print): number {
  const [first] = faults.toSorted((one, other) => placeOf(one) - placeOf(other));
  if (!first) {
    print("it adds up");
    return 0;
  }
  print(`it does not add up, faults: ${faults.length}; the first is`);
  print(describeFault(first));
  return 1;
}

/** Faults of the whole account come after those of rows. */
const placeOf = ({ transactionId }: LedgerFault): number =>
  transactionId === null ? Number.POSITIVE_INFINITY : Number(transactionId);
