import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SIGN_IN_WAYS } from "~/services/auth/sign-in-ways";
import { readFolder } from "../../scripts/lib/read-files";

const callersOf = (name: string) =>
  readFolder("app", /(?<!\.test)\.tsx?$/)
    .filter(({ text }) => new RegExp(`(?<!function )\\b${name}\\(`).test(text))
    .map(({ file }) => file)
    .sort();

test("docs/accounts.md lists every way of signing in, and no other", () => {
  const page = readFileSync("docs/accounts.md", "utf8");
  const [, section = ""] = page.split("\n## Ways to sign in\n");
  const table = section.split("\n## ")[0] ?? "";
  const named = [...table.matchAll(/^\| [^|]+ \| `(\w+)` \|/gm)].map(([, way]) => way);
  expect(named).toEqual([...SIGN_IN_WAYS]);
});

test("sessions begin in the one function that asks for the second factor, and at sign-up", () => {
  expect(callersOf("createSession")).toEqual(["app/server/session.server.ts"]);
  expect(callersOf("signInHeaders")).toEqual([
    "app/server/complete-sign-in.server.ts",
    "app/server/sign-up.server.ts",
  ]);
  expect(callersOf("completeSignIn")).toEqual([
    "app/routes/$locale.sign-in-link.server.ts",
    "app/routes/$locale.sign-in.tsx",
    "app/routes/$locale.sign-in_.passkey.tsx",
    "app/routes/$locale.verify-email.server.ts",
    "app/server/oauth/finish-sign-in.server.ts",
  ]);
});
