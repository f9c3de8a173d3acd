import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const WRITES =
  /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO)\s+"?(?:credit_accounts|credit_transactions|credit_allocations)\b|\.credit(?:Account|Transaction|Allocation)\s*\.\s*(?:create|update|upsert|delete)/i;

test("only the credits room writes the ledger's tables", () => {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" })
    .map((file) => `app/${file.replaceAll("\\", "/")}`)
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => !/^app\/(?:generated|models\/credits)\//.test(file));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => WRITES.test(readFileSync(file, "utf8")))).toEqual([]);
});

test.each([
  "INSERT INTO credit_accounts AS account (user_id)",
  "UPDATE credit_transactions lot SET remaining = 0",
  "delete from credit_allocations",
  "transaction.creditTransaction.create({ data })",
])("%s counts as a write", (text) => expect(text).toMatch(WRITES));
