import type { Caller, Operation, Site } from "../plan/operations";
import { sum } from "../sum";
import { creditsAnswer, estimateAnswer, readAnswer, runAnswer, runsAnswer } from "./answers";
import { deliverAsStranger } from "./deliveries";
import { must } from "./fault";
import { fromEnd, hasOpenRuns, type KnownRun, type Person, type ShownRow } from "./person";
import { asJson, ask, headersOf, type Stage } from "./stage";

// Questions change nothing. Each is judged by what the account was told before.

/** A balance that was named: it has to be what is known, or is known from now on. */
function learn(person: Person, balance: number, where: string): void {
  must(balance >= 0, `${where} names a balance of ${balance}`);
  if (person.isBlurred || hasOpenRuns(person)) return;
  must(
    person.known === null || person.known === balance,
    `${where} names a balance of ${balance}, and by all that was told it is ${person.known}`,
  );
  person.known = balance;
}

const CREDITS = "/api/account/credits";

/** Reads credits that may be changing, and judges the response by itself and by those before it. */
export async function readCredits(stage: Stage, person: Person, at: Site, by: Caller) {
  const { shown } = person;
  const reply = await ask(stage, { at, path: CREDITS, headers: headersOf(person, by) });
  must(reply.status === 200, `${CREDITS} is answered by ${reply.status}`);
  const { balance, lots, transactions, nextCursor } = readAnswer(reply, creditsAnswer);
  // All of it is of one moment, also while runs begin and end.
  if (lots && lots.length < 50) {
    const held = sum(lots.map(({ remaining }) => remaining));
    must(held === balance, `the lots hold ${held}, and the balance is ${balance}`);
  }
  for (const [place, { id, amount, balanceAfter }] of transactions.entries()) {
    const before = transactions[place + 1];
    must(
      !before || before.balanceAfter + amount === balanceAfter,
      `row ${id} doesn't follow the one before it`,
    );
  }
  if (shown) judgeGrowth(shown, transactions, nextCursor === null);
  const [newest] = transactions;
  if (newest && isAfter(newest, person.shown)) person.shown = newest;
  return balance;
}

/** The ledger only grows: a row that was shown is in each later response and is the same, unless newer ones fill the page. */
function judgeGrowth(shown: ShownRow, rows: readonly ShownRow[], isAll: boolean): void {
  const same = rows.find(({ id }) => id === shown.id);
  const isOnNextPage = !isAll && rows.every((row) => isAfter(row, shown));
  must(same !== undefined || isOnNextPage, `row ${shown.id} was shown, and is there no more`);
  const { amount, balanceAfter } = same ?? shown;
  must(
    amount === shown.amount && balanceAfter === shown.balanceAfter,
    `row ${shown.id} was shown with ${shown.amount}, and is ${amount} now`,
  );
}

const isAfter = (row: ShownRow, other: ShownRow | null) =>
  other === null || BigInt(row.id) > BigInt(other.id);

export async function askCredits(stage: Stage, person: Person, at: Site, by: Caller) {
  learn(person, await readCredits(stage, person, at, by), CREDITS);
  stage.count("credits");
}

/** The step has its effect at once, whichever server is asked. */
export async function askAfterwards(stage: Stage, person: Person): Promise<void> {
  const [one, other]: [Site, Site] = person.steps % 2 === 0 ? [0, 1] : [1, 0];
  await Promise.all([
    askCredits(stage, person, one, "key"),
    askRun(stage, person, { do: "run", back: 0, at: other, by: "session" }),
  ]);
}

export async function askRun(stage: Stage, person: Person, operation: Operation & { do: "run" }) {
  const run = fromEnd(
    person.runs.filter(({ id }) => id !== null),
    operation.back,
  );
  if (!run) return;
  const path = `/api/runs/${run.id}`;
  const headers = headersOf(person, operation.by);
  const reply = await ask(stage, { at: operation.at, path, headers });
  must(reply.status === 200, `${path} is answered by ${reply.status}`);
  compareRun(readAnswer(reply, runAnswer), run);
  stage.count("run");
}

/** Compares a run with what its own response said. */
function compareRun({ status, creditsCharged, creditsReserved }: RunAnswer, run: KnownRun): void {
  must(creditsCharged <= creditsReserved, `a run cost ${creditsCharged} of ${creditsReserved}`);
  const expected = { charged: "succeeded", failed: "failed" } as const;
  if (run.outcome !== "charged" && run.outcome !== "failed") return;
  must(
    status === expected[run.outcome],
    `run ${run.id} is ${status}, and its answer said ${run.outcome}`,
  );
  must(
    creditsCharged === run.charged,
    `run ${run.id} cost ${creditsCharged}, and its answer said ${run.charged}`,
  );
}

type RunAnswer = ReturnType<typeof runAnswer.parse>;

export async function askRuns(stage: Stage, person: Person, at: Site, by: Caller) {
  const reply = await ask(stage, { at, path: "/api/runs", headers: headersOf(person, by) }, person);
  must(reply.status === 200, `/api/runs is answered by ${reply.status}`);
  const known = new Map(person.runs.map((run) => [run.id, run]));
  for (const answer of readAnswer(reply, runsAnswer).runs) {
    const run = known.get(answer.runId);
    if (run) compareRun(answer, run);
    // The answer of a run that failed doesn't name it, and a lost one names nothing.
    else
      must(
        person.runs.some(
          ({ id, outcome }) => id === null && ["unknown", "failed"].includes(outcome),
        ),
        `nobody asked for run ${answer.runId}`,
      );
  }
  stage.count("runs");
}

export async function askEstimate(
  stage: Stage,
  person: Person,
  { images, at, by }: Operation & { do: "estimate" },
) {
  const body = JSON.stringify({ action: "image", input: { prompt: "a lake", n: images } });
  const headers = { ...headersOf(person, by), ...asJson };
  const path = "/api/estimate";
  const reply = await ask(stage, { at, method: "POST", path, headers, body }, person);
  must(reply.status === 200, `${path} is answered by ${reply.status}`);
  const { credits, balance, allowed } = readAnswer(reply, estimateAnswer);
  const cost = images * stage.sold.imageCredits;
  must(credits === cost, `${images} images are estimated at ${credits}`);
  must(!allowed || balance >= cost, `${cost} credits are allowed of ${balance}`);
  const isFree =
    person.limit === null && (by === "session" || person.key === null || person.key.limit === null);
  must(!isFree || allowed === balance >= cost, `${cost} of ${balance} are allowed: ${allowed}`);
  learn(person, balance, path);
  stage.count("estimate");
}

const PAGES = {
  overview: "/en/account",
  credits: "/en/account/credits",
  csv: "/en/account/credits.csv",
} as const;

export async function askPage(
  stage: Stage,
  person: Person,
  { page, at }: Operation & { do: "page" },
) {
  const path = PAGES[page];
  const reply = await ask(stage, { at, path, headers: headersOf(person) }, person);
  must(reply.status === 200, `${path} is answered by ${reply.status}`);
  const shown = page === "overview" && /class="big">([\d,]+)</.exec(reply.text)?.[1];
  must(page !== "overview" || Boolean(shown), "the overview shows no balance");
  if (shown) learn(person, Number(shown.replaceAll(",", "")), path);
  stage.count(`page: ${page}`);
}

/** Who has no right to ask gets nothing. */
export async function askAsStranger(
  stage: Stage,
  person: Person,
  { what, at }: Operation & { do: "stranger" },
): Promise<void> {
  stage.count("stranger");
  if (what !== "credits" && what !== "cron") return deliverAsStranger(stage, person, { what, at });
  const path = { credits: "/api/account/credits", cron: "/api/cron/maintenance" }[what];
  const reply = await ask(stage, { at, path, headers: { Authorization: "Bearer nobody" } });
  must(reply.status === 401, `${path} answers a stranger by ${reply.status}`);
}
