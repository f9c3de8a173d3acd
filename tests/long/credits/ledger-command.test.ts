import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { spendCredits } from "~/models/credits/spends.server";
import { createUserWith, DAY, openLedger } from "../../helpers/credits";
import { openSession } from "../../helpers/migrations";
import { runScript } from "../../helpers/run-script";

const ledger = openLedger();

const run = (...args: string[]) =>
  runScript("scripts/ledger/ledger.command.ts", args, { DATABASE_URL: ledger.url });

/** A new user with 10 credits for a day, 4 of them spent. */
async function createPerson() {
  const { db } = ledger;
  const userId = await createUserWith(db, [10, DAY]);
  await spendCredits(
    { userId, amount: 4, source: `generation:${userId}`, description: "2 images" },
    db,
  );
  const { email } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  return { userId, email };
}

test("`ledger` lists its commands, and each prints its usage", async () => {
  const [overview, help, unknown] = await Promise.all([
    run("--help"),
    run("adjust", "--help"),
    run("mint"),
  ]);
  expect(overview.stdout).toMatch(
    /npm run ledger -- <command>[\s\S]*verify [\s\S]*show [\s\S]*adjust /,
  );
  expect(help.stdout).toContain("npm run ledger -- adjust <email|id> <amount> [options]");
  expect(unknown).toMatchObject({
    code: 2,
    stderr: "ledger: there is no command 'mint' (--help says more)\n",
  });
});

test("verify says how much it checked, and each fault with its user", async () => {
  const { userId } = await createPerson();
  const sound = await run("verify");
  expect(sound).toMatchObject({ code: 0, stderr: "" });
  expect(sound.stdout).toMatch(/^\d+ accounts checked, no faults\n$/);

  const session = await openSession(ledger.url);
  const raise = (by: number) =>
    session.query("UPDATE credit_accounts SET balance = balance + $1 WHERE user_id = $2", [
      by,
      userId,
    ]);
  await raise(5);
  const broken = await run("verify");
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(
    new RegExp(
      `^balance  user ${userId}  balance 11, amounts sum to 6, lots hold 6\n\\d+ accounts checked, faults: 1\n$`,
    ),
  );
  await raise(-5);
});

test("show prints the balance, the lots and the newest rows", async () => {
  const { email, userId } = await createPerson();
  const { code, stdout } = await run("show", email.toUpperCase());
  expect(code).toBe(0);
  expect(stdout).toMatch(/^balance 6\n/);
  expect(stdout).toMatch(/ +6 +10 +\d{4}-\d\d-\d\dT\S+ +test:/);
  expect(stdout).toMatch(new RegExp(`deduction +-4 +6 +generation:${userId} +2 images\n`));
  expect(await run("show", "nobody@example.com")).toMatchObject({
    code: 1,
    stderr: "ledger show: no user has the email address nobody@example.com\n",
  });
});

test("explain tells an account's story with its sums, and of a movement its lots before and after", async () => {
  const { db } = ledger;
  const { email, userId } = await createPerson();
  const adjusted = await run("adjust", email, "5", "--reason", "Sorry", "--key", `sorry-${userId}`);
  expect(adjusted.code).toBe(0);
  const { stdout, code } = await run("explain", email);
  expect(code).toBe(0);
  const [account, ...lines] = stdout.split("\n");
  expect(account).toBe(`account ${userId}`);
  const operator = userInfo().username;
  expect(lines.slice(0, 3)).toEqual([
    expect.stringMatching(/^\S+Z {2}row \d+ +grant +\+10 {2}= 10 .*lot \d+, 6 left, ends \S+Z$/),
    expect.stringMatching(
      /^\S+Z {2}row \d+ +deduction +-4 {2}= 6 .*for generation:\S+; lot \d+ -4$/,
    ),
    expect.stringMatching(
      new RegExp(
        `adjustment +\\+5 {2}= 11 .*correction sorry-${userId} by ${operator}: Sorry; lot`,
      ),
    ),
  ]);
  expect(stdout).toMatch(/together +3 +\+11\nit adds up\n$/);
  expect((await run("explain", userId)).stdout).toBe(stdout);

  const [lot, spend] = await db.creditTransaction.findMany({
    where: { userId },
    orderBy: { id: "asc" },
  });
  const bySource = await run("explain", `generation:${userId}`);
  expect(bySource).toMatchObject({
    code: 0,
    stdout: (await run("explain", `${spend?.id}`)).stdout,
  });
  expect(bySource.stdout).toMatch(
    new RegExp(`row ${spend?.id} {2}deduction -4, balance 10 → 6 .*\n {2}lot ${lot?.id}: 10 → 6\n`),
  );
  expect(bySource.stdout).toContain(`lot ${lot?.id}: 10 credits, 6 left, ends `);
  expect(await run("explain", "pi_of_nobody")).toMatchObject({
    code: 1,
    stderr: "ledger explain: no user, movement, run, order or payment is pi_of_nobody\n",
  });
});

test("explain names the first wrong row of an account that doesn't add up", async () => {
  const { email, userId } = await createPerson();
  const session = await openSession(ledger.url);
  await session.query("SET session_replication_role = replica");
  const shift = (by: number) =>
    session.query(
      "UPDATE credit_transactions SET amount = amount + $1 WHERE user_id = $2 AND type = 'deduction'",
      [by, userId],
    );
  await shift(1);
  const { id } = await ledger.db.creditTransaction.findFirstOrThrow({
    where: { userId, type: "deduction" },
  });
  const broken = await run("explain", email);
  expect(broken.code).toBe(1);
  expect(broken.stdout).toMatch(
    new RegExp(
      `it does not add up, faults: \\d+; the first is\\n\\S+ {2}user ${userId} {2}row ${id} `,
    ),
  );
  await shift(-1);
});

test("adjust gives and takes once a key, with its reason in the ledger", async () => {
  const { email, userId } = await createPerson();
  const adjust = (amount: string, key: string) =>
    run("adjust", email, amount, "--reason", "lost in transit", "--key", key);
  const key = `gift-${userId}`;
  expect((await adjust("50", key)).stdout).toMatch(/^row \d+: 50 credits, balance 56\n$/);
  const again = await adjust("50", key);
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(/^row \d+ is this adjustment: nothing was changed\n$/);
  const other = await adjust("60", key);
  expect(other.code).toBe(1);
  expect(other.stderr).toContain(`the key '${key}' is row`);
  expect((await adjust("-7", `take-${userId}`)).stdout).toMatch(/: -7 credits, balance 49\n$/);
  expect(await adjust("-50", `more-${userId}`)).toMatchObject({
    code: 1,
    stderr: "ledger adjust: the balance is 49: nothing was changed\n",
  });
  const rows = await ledger.db.creditTransaction.findMany({
    where: { userId, type: "adjustment" },
    orderBy: { id: "asc" },
    select: { amount: true, source: true, description: true },
  });
  expect(rows).toEqual([
    { amount: 50, source: `adjustment:${key}`, description: "lost in transit" },
    { amount: -7, source: `adjustment:take-${userId}`, description: "lost in transit" },
  ]);
});

test.each([
  [["50"], "--reason is missing"],
  [["50", "--reason", " ", "--key", "k"], "--reason is missing"],
  [["50", "--reason", "r"], "--key is missing"],
  [["0", "--reason", "r", "--key", "k"], "'0' is not a number of credits: write 50 or -50"],
  [["1e3", "--reason", "r", "--key", "k"], "'1e3' is not a number of credits: write 50 or -50"],
  [[], "missing argument <amount>"],
])("adjust with %j is refused", async (args, message) => {
  const { email } = await createPerson();
  expect(await run("adjust", email, ...args)).toMatchObject({
    code: 2,
    stderr: `ledger adjust: ${message} (--help says more)\n`,
  });
});
