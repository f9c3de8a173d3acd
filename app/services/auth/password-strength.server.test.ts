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

test("characters after the 64th do not help", async () => {
  expect(await isGuessable(`${"a".repeat(64)}x8&kLq#92mVw!`, [])).toBe(true);
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
