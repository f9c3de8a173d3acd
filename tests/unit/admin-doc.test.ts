import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import messages from "~/i18n/locales/en.json";

/** All texts of a part of the messages. */
function textsOf(part: object): string[] {
  return Object.values(part).flatMap((value) =>
    typeof value === "string" ? [value] : textsOf(value),
  );
}

const plain = (text: string) => text.replaceAll(/[’']/g, "'");

test("the stories for the support name what stands on the pages", () => {
  const [, stories = ""] = readFileSync("docs/admin.md", "utf8").split("## Three mails");
  const named = [...stories.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(20);
  const texts = textsOf(messages.admin).map(plain);
  const isText = (name: string) =>
    texts.some((text) => text === name || text.startsWith(`${name} `));
  expect(named.filter((name) => !isText(plain(name)))).toEqual([]);
  const quoted = [...stories.matchAll(/“([^”]+)”, /g)].map(([, words = ""]) => words);
  const logged = textsOf(messages.audit).map(plain);
  expect(quoted.filter((words) => !logged.includes(plain(words)))).toEqual([]);
});
