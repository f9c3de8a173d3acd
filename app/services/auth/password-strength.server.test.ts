import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { isGuessable } from "~/services/auth/password-strength.server";

test.each([
  "correct horse battery staple",
  "a long enough password",
  "x8&kLq#92mVw!",
  "contraseña muy larga y rara",
])("%s is not guessable", async (password) => {
  expect(await isGuessable(password, ["person@example.com"])).toBe(false);
});

test.each(["aaaaaaaaaaaaaaaa", "abcdefghijkl", "qwertyuiop123", "p@ssw0rd1234"])(
  "%s is guessable",
  async (password) => expect(await isGuessable(password, [])).toBe(true),
);

test("a password made from account data is guessable, in upper or lower case", async () => {
  const password = "Grunewald-Fischer";
  expect(await isGuessable(password, [])).toBe(false);
  expect(await isGuessable(password, ["grunewald-fischer"])).toBe(true);
});

test("characters after the 64th neither help nor cost time", async () => {
  expect(await isGuessable(`${"a".repeat(64)}x8&kLq#92mVw!`, [])).toBe(true);
  const began = process.cpuUsage();
  await isGuessable("a4b8c(d6e3f9g6".repeat(5_000), []);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1_000);
});

test.each([
  ["substitutions", "4@8({[</369&#!1/|0$5+7%2/4@8({[</369&#!1/|0$5+7%2/4@8({[4@8({["],
  ["substituted words", "p@$$w0rd".repeat(8)],
  ["one character", "a".repeat(64)],
  ["digits", "1".repeat(64)],
  ["dates", "1/1/90.2-3-91 ".repeat(5)],
  ["letters and digits", "a4b8c(d6e3f9g6".repeat(5)],
  ["sequences", "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz01"],
  ["rows of keys", "qwertyuiop".repeat(7)],
  ["letters that grow when made small", "İ".repeat(64)],
])("hostile input (%s) takes little CPU time", async (_name, password) => {
  await isGuessable(password, []);
  const runs: number[] = [];
  for (let run = 0; run < 3; run++) {
    const began = process.cpuUsage();
    await isGuessable(password, ["person@example.com"]);
    runs.push(process.cpuUsage(began).user / 1000);
  }
  // Takes 15 to 30 ms on an idle machine; with the library's defaults 200 to 500 ms.
  expect(Math.min(...runs)).toBeLessThan(120);
});

test("the process goes on while a password is checked", async () => {
  await isGuessable("", []);
  let turns = 0;
  let isChecked = false;
  const check = isGuessable("4@8({[</369&#!1/|0$5+7%2/4@8({[".repeat(2), []).then(() => {
    isChecked = true;
  });
  while (!isChecked) {
    await nextTurn();
    turns += 1;
  }
  await check;
  expect(turns).toBeGreaterThan(20);
});
