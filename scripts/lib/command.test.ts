import { expect, test } from "vitest";
import { helpText, secondsOption, UsageError } from "./command";

test("help names arguments, options, what they take and their defaults", () => {
  const text = helpText({
    name: "ledger",
    usage: "Reads the ledger.",
    positionals: ["action", "id?"],
    options: {
      user: { type: "string", value: "id", short: "u", help: "whose" },
      limit: { type: "string", value: "rows", default: "20", help: "how many" },
    },
  });
  expect(text.split("\n")).toEqual([
    "npm run ledger -- <action> [id] [options]",
    "",
    "Reads the ledger.",
    "",
    "  -u, --user <id>  whose",
    "  --limit <rows>   how many (default 20)",
    "  -h, --help       print this",
  ]);
});

test("help shows an argument that may be given any number of times", () => {
  const [first] = helpText({ name: "webhooks replay", usage: "", positionals: ["id..."] }).split(
    "\n",
  );
  expect(first).toBe("npm run webhooks -- replay [id...] [options]");
});

test.each([
  ["0", 0],
  ["5", 5000],
  ["0.25", 250],
  ["86400", 86_400_000],
])("%s seconds are %i milliseconds", (text, milliseconds) => {
  expect(secondsOption("lock-wait", text)).toBe(milliseconds);
});

test.each(["", " ", "-1", "1e3", "0x10", "5s", "86401", "Infinity", "NaN", "."])(
  "'%s' is refused as seconds",
  (text) => {
    expect(() => secondsOption("lock-wait", text)).toThrow(UsageError);
  },
);
