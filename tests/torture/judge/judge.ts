import { creditsAnswer, readAnswer } from "../act/answers";
import { Fault, must } from "../act/fault";
import type { Person } from "../act/person";
import { ask, headersOf, type Stage } from "../act/stage";
import { inTurns } from "../in-turns";
import { judgeAccount } from "./judge-account";
import { judgeMade } from "./made";
import type { Money } from "./money";
import { readAccount } from "./read-account";
import { readMoney } from "./read-money";

/** Says whose fault it is. */
export class AccountFault extends Fault {
  constructor(
    readonly person: Person,
    message: string,
  ) {
    super(message);
  }
}

/** Compares every account with what it must have. @throws AccountFault for the first that differs */
export async function judgeAll(stage: Stage, people: readonly Person[]): Promise<void> {
  const money = await readMoney(stage.world);
  await inTurns(people, (person) => judgeOne(stage, person, money));
  const { code, output } = await stage.world.command("ledger", "verify");
  must(code === 0, `ledger verify finds: ${output}`);
  stage.count("command");
}

async function judgeOne(stage: Stage, person: Person, money: Money) {
  const { world } = stage;
  const stored = await readAccount(world.database, person.userId);
  const [{ now } = { now: new Date() }] = await world.database.sql<{ now: Date }>(
    "SELECT now() AS now",
  );
  const { spendable, wrong } = judgeAccount({
    ...{ person, stored, money, now, sold: stage.sold },
    provider: world.provider,
  });
  for (const run of person.runs) {
    const calls = stage.callsFor(run.mark);
    if (run.outcome === "charged" && calls === 0)
      wrong.push(`${run.idempotencyKey} was charged, and no provider was asked`);
    wrong.push(...judgeMade(run, stage.madeFor(run.mark)));
    // A provider that fails may be asked again, or another one.
    if (run.action === "text" && run.fault === null && calls > 1)
      wrong.push(`for ${run.idempotencyKey} a provider was asked ${calls} times`);
    if (run.outcome === "refused" && calls > 0)
      wrong.push(`${run.idempotencyKey} was refused, and a provider was asked ${calls} times`);
  }
  const shown = person.isGone ? [] : await listShown(stage, person);
  for (const [where, balance] of shown)
    if (balance !== spendable)
      wrong.push(`${where} shows ${balance}, and ${spendable} can be spent`);
  stage.count("account judged");
  if (wrong.length > 0) throw new AccountFault(person, wrong.join("\n"));
}

/** The balance wherever it is shown. */
async function listShown(
  stage: Stage,
  person: Person,
): Promise<[where: string, balance: number][]> {
  const headers = headersOf(person);
  const api = await ask(stage, { at: 0, path: "/api/account/credits", headers });
  must(api.status === 200, `the credits are answered by ${api.status}`);
  const page = await ask(stage, { at: 1, path: "/en/account", headers });
  const [, onPage = ""] = /class="big">([\d,]+)</.exec(page.text) ?? [];
  stage.count("credits");
  stage.count("page: overview");
  return [
    ["the API", readAnswer(api, creditsAnswer).balance],
    ["the overview", Number(onPage.replaceAll(",", ""))],
  ];
}
