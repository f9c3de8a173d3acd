import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { spendCredits } from "~/models/credits/spends.server";
import { createUserWith, openLedger } from "../../helpers/credits";
import { openSession } from "../../helpers/migrations";
import { runScript } from "../../helpers/run-script";

const ledger = openLedger();

/** The commands of the incident page's section on the ledger, in order. */
function listDocumented(): string[] {
  const page = readFileSync("docs/incidents/credits-disputed.md", "utf8");
  const section = page.slice(page.indexOf("## The ledger itself"));
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = ""]) =>
    text.trim().split("\n"),
  );
  return blocks.map((line) => line.trim().replace("npm run ledger -- ", ""));
}

/** Splits a line as a shell does, as far as the page needs. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");

test("the incident page's commands, run as written, find and mend a raised balance", async () => {
  const userId = await createUserWith(ledger.db, 100);
  await ledger.db.user.update({ where: { id: userId }, data: { email: "me@example.com" } });
  const session = await openSession(ledger.url);
  await spendCredits({ userId, amount: 10, source: "generation:before" }, ledger.db);
  await session.query("UPDATE credit_accounts SET balance = balance + 77");

  const results: { code: number | null; output: string }[] = [];
  for (const line of listDocumented()) {
    const env = { DATABASE_URL: ledger.url };
    const script = "scripts/ledger/ledger.command.ts";
    const { code, stdout, stderr } = await runScript(script, wordsOf(line), env);
    results.push({ code, output: stdout + stderr });
  }
  const contains = (text: string) => expect.stringContaining(text);
  expect(results).toEqual([
    {
      code: 1,
      output: contains(`balance  user ${userId}  balance 167, amounts sum to 90, lots hold 90`),
    },
    { code: 0, output: contains("would set the balance  167 → 90\nnothing was changed") },
    { code: 0, output: contains("did set the balance  167 → 90\nthe account verifies") },
    { code: 0, output: "1 accounts checked, no faults\n" },
  ]);
  expect(results[2]?.output).toContain('"command":"ledger repair"');
});
