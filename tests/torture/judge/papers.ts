import { z } from "zod";
import { readAnswer } from "../act/answers";
import { signIn } from "../act/entering";
import { Fault, must } from "../act/fault";
import { judgeFiles } from "../act/files";
import type { Person } from "../act/person";
import { ask, headersOf, type Stage } from "../act/stage";
import { AccountFault } from "./judge";
import { readAccount } from "./read-account";
import { replay } from "./replay";

// The export, the table of credits, the files and the emails, at the end.

const exported = z.object({
  credits: z.object({
    balance: z.int(),
    transactions: z.array(z.object({ id: z.string(), amount: z.int(), balanceAfter: z.int() })),
    lots: z.array(z.object({ id: z.string(), remaining: z.int() })),
  }),
  runs: z.array(z.unknown()),
  orders: z.array(z.object({ providerCheckoutId: z.string(), credits: z.int() })),
  subscriptions: z.array(z.object({ providerSubscriptionId: z.string() })),
});

/** Compares them with the account's history. @throws AccountFault */
export async function judgePapers(stage: Stage, person: Person): Promise<void> {
  try {
    // An export needs a fresh proof.
    await signIn(stage, person);
    await judgeExport(stage, person);
    await judgeTable(stage, person);
    await judgeFiles(stage, person);
    judgeMails(stage, person);
  } catch (error) {
    throw error instanceof Fault ? new AccountFault(person, error.message) : error;
  }
}

const same = (what: string, shown: readonly unknown[], kept: readonly unknown[]) =>
  must(
    JSON.stringify(shown) === JSON.stringify(kept),
    `${what}: ${JSON.stringify(shown)}, not ${JSON.stringify(kept)}`,
  );

async function judgeExport(stage: Stage, person: Person): Promise<void> {
  const path = "/en/account/export";
  const reply = await ask(stage, { at: 0, path, headers: headersOf(person) }, person);
  must(reply.status === 200, `${path} is answered by ${reply.status}`);
  const { credits, runs, orders, subscriptions } = readAnswer(reply, exported);
  const stored = await readAccount(stage.world.database, person.userId);
  const { balance, lots } = replay(stored.rows);
  must(credits.balance === balance, `the export's balance is ${credits.balance}, not ${balance}`);
  same(
    "the export's rows",
    credits.transactions.map((row) => [row.id, row.amount, row.balanceAfter]),
    stored.rows.map((row) => [row.id, row.amount, row.balanceAfter]),
  );
  same(
    "the export's lots",
    credits.lots.map(({ id, remaining }) => [id, remaining]),
    lots.map(({ id, left }) => [id, left]),
  );
  must(runs.length === stored.runs.length, `the export has ${runs.length} of the runs`);
  const told = person.sales.filter(({ isTold }) => isTold);
  same(
    "the export's orders",
    orders.map((order) => order.providerCheckoutId).sort(),
    told.map(({ sessionId }) => sessionId).sort(),
  );
  same(
    "the export's plans",
    subscriptions.map((plan) => plan.providerSubscriptionId).sort(),
    person.plans.map(({ id }) => id).sort(),
  );
  stage.count("export judged");
}

async function judgeTable(stage: Stage, person: Person): Promise<void> {
  const path = "/en/account/credits.csv";
  const reply = await ask(stage, { at: 1, path, headers: headersOf(person) }, person);
  must(reply.status === 200, `${path} is answered by ${reply.status}`);
  const stored = await readAccount(stage.world.database, person.userId);
  const [, ...lines] = parseCsv(reply.text);
  same(
    "the table's rows",
    lines.map(([at, kind, , amount, after]) => [at, kind, amount, after]),
    stored.rows
      .toReversed()
      .map((row) => [row.at.toISOString(), row.type, String(row.amount), String(row.balanceAfter)]),
  );
  stage.count("table judged");
}

/** The cells of each line; written from RFC 4180. */
function parseCsv(text: string): string[][] {
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g);
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quoted, plain = "", end] of cells) {
    line.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    if (end === "" && line.join("") === "") break;
    lines.push(line);
    line = [];
  }
  return lines;
}

/** One receipt for each sale that was told. An email whose sending was cut off may come twice. */
function judgeMails(stage: Stage, person: Person): void {
  const receipts = stage
    .mailsTo(person.email)
    .filter(({ subject }) => /^Receipt: .*credits/.test(subject));
  const sales = person.sales.filter(({ isTold }) => isTold).length;
  const mayBeMore = stage.hadStorm() || person.isBack;
  const isRight = receipts.length === sales || (mayBeMore && receipts.length > sales);
  must(isRight, `${receipts.length} receipts came for ${sales} purchases`);
  stage.count("emails judged", receipts.length);
}
