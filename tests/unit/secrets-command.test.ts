import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSecrets } from "../../scripts/audit/secrets/find-secrets";
import { runScript } from "../helpers/run-script";

const RANDOM = "q7Rk2vXw9ZsT4mYb8NcJ1hGf6LdP3uEa5QoKxWiV0tSz";

/** Keys of every kind that a project like this has. In pieces, or this file would be found itself. */
const PLANTED: [string, string][] = [
  ["Stripe key", `sk_${"live"}_${RANDOM.slice(0, 24)}`],
  ["restricted Stripe key", `rk_${"test"}_${RANDOM.slice(0, 24)}`],
  ["webhook secret", `whsec_${RANDOM.slice(0, 32)}`],
  ["Creem key", `creem_${RANDOM.slice(0, 22)}`],
  ["fal key", `0f8fad5b-d9cb-469f-a165-70867728950e:${"0123456789abcdef".repeat(2)}`],
  ["Replicate token", `r8_${RANDOM.slice(0, 37)}`],
  ["OpenAI key", `sk-${RANDOM.slice(0, 20)}T3BlbkFJ${RANDOM.slice(20, 40)}`],
  ["Google client secret", `GOCSPX-${RANDOM.slice(0, 28)}`],
  ["Turnstile secret", `0x4AAAAAAA${RANDOM.slice(0, 27)}`],
  ["GitHub token", `ghp_${RANDOM.slice(0, 36)}`],
  ["database", `postgres://shop:${RANDOM.slice(0, 20)}@db.shop.com:5432/shop`],
  ["mail server", `smtps://shop:${RANDOM.slice(0, 20)}@mail.shop.com:465`],
  ["AUTH_SECRET", `AUTH_SECRET=${RANDOM}`],
  ["CRON_SECRET", `CRON_SECRET="${"0123456789abcdef".repeat(4)}"`],
  ["secret in YAML", `  AUTH_SECRET: ${RANDOM}`],
  ["secret of a unit", `Environment=AUTH_SECRET=${RANDOM}`],
  ["secret in code", `const settings = { AUTH_SECRET: "${RANDOM}" };`],
];

test.each(PLANTED)("a %s is found", async (_what, key) => {
  const text = `// secretlint-disable\n${key}\nlast line\n`;
  expect(await findSecrets(text, [])).not.toEqual([]);
});

test("no comment in a file hides a key, in the same file or another", async () => {
  const key = `sk_${"live"}_${RANDOM.slice(0, 24)}`;
  for (const comment of ["disable", "disable-line", "disable-next-line"])
    expect(
      await findSecrets(`// secretlint-${comment}\n${key} // secretlint-disable-line`, []),
    ).toHaveLength(1);
});

test("a value that is allowed by a pattern or its fingerprint is no secret", async () => {
  const key = `sk_${"test"}_sandbox${RANDOM.slice(0, 24)}`;
  const [found] = await findSecrets(key, []);
  const reason = "a key of the local stand-ins";
  expect(await findSecrets(key, [{ pattern: "sandbox", reason }])).toEqual([]);
  expect(await findSecrets(key, [{ fingerprint: found?.fingerprint, reason }])).toEqual([]);
  expect(await findSecrets(key, [{ fingerprint: "0".repeat(16), reason }])).toHaveLength(1);
});

/** A Git repository with one commit, until the test ends. */
function openRepository() {
  const folder = mkdtempSync(path.join(tmpdir(), "secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const git = (...args: string[]) =>
    execFileSync("git", [...who, ...args], { cwd: folder, stdio: "pipe" });
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
  const commit = (message: string) => {
    git("add", "-A");
    git("commit", "-qm", message);
  };
  git("init", "-q", "-b", "main");
  write("shop.ts", "export const name = 1;\n");
  commit("begin");
  const scan = () =>
    runScript("scripts/audit/secrets/secrets.command.ts", ["--folder", folder], {
      HOME: folder,
    });
  return { folder, git, write, commit, scan };
}

const KEY = `const key = "sk_${"live"}_${RANDOM.slice(0, 24)}";\n`;

test("a key in a file is found before it is committed, and named without its value", async () => {
  const { write, scan } = openRepository();
  expect(await scan()).toMatchObject({ code: 0, stdout: "no secret in 1 files and 1 commits\n" });
  write("pay.ts", `// pays\n${KEY}`);
  const { code, stdout } = await scan();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^pay\.ts:2: .*Stripe key \(fingerprint [0-9a-f]{16}\)$/m);
  expect(stdout).not.toContain(RANDOM.slice(0, 24));
});

test("a key that a later commit removed is found in the history", async () => {
  const { write, commit, scan } = openRepository();
  write("pay.ts", `// pays\n${KEY}`);
  commit("add a key");
  write("pay.ts", "// pays\n");
  commit("remove it");
  const { code, stdout } = await scan();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^pay\.ts in commit [0-9a-f]{12}: /m);
  expect(stdout.match(/fingerprint/g)).toHaveLength(2);
});

test("a key that came with a merge and was in none of its parents is found", async () => {
  const { git, write, commit, scan } = openRepository();
  git("checkout", "-qb", "side");
  write("side.ts", "export const side = 1;\n");
  commit("side");
  git("checkout", "-q", "main");
  write("main.ts", "export const main = 1;\n");
  commit("main");
  git("merge", "-q", "--no-commit", "--no-ff", "side");
  write("merged.ts", KEY);
  commit("merge");
  git("rm", "-q", "merged.ts");
  commit("remove it");
  expect((await scan()).stdout).toMatch(/^merged\.ts in commit /m);
});

test("a folder without a history is looked at, and says so", async () => {
  const { folder, write, scan } = openRepository();
  rmSync(path.join(folder, ".git"), { recursive: true });
  write("pay.ts", KEY);
  const { code, stdout } = await scan();
  expect(stdout).toContain("the history was not looked at");
  expect(stdout).toContain("pay.ts:1: ");
  expect(code).toBe(1);
});
