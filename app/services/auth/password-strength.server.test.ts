import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { isGuessable } from "~/services/auth/password-strength.server";

test.each([
  "correct horse battery",
  "a long enough password",
  "tinta bosque martes",
  "kestrel-vapor-onion9",
  "summer 83749 28374 92830",
  "x8&kLq#92mVw!",
  "contraseña muy larga y rara",
])("%s is not guessable", async (password) => {
  expect(await isGuessable(password, ["person@example.com"])).toBe(false);
});

test.each([
  "aaaaaaaaaaaaaaaa",
  "abcdefghijkl",
  "qwertyuiop123",
  "p@ssw0rd1234",
  // People make this of a word when a page asks for twelve characters.
  "P@ssw0rd2024!!",
  "Welcome2026!!",
  "Admin1234567!",
  "Liverpool2024!",
  "Football12345!",
  "Monkey!123456",
  "Company2026!!!",
  "abcd1234ABCD!!",
  "Summer2026!!Summer",
  "Grunewald2026!",
  "correcthorsebatterystaple",
  "Correct Horse Battery Staple",
])("%s is guessable", async (password) => expect(await isGuessable(password, [])).toBe(true));

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
