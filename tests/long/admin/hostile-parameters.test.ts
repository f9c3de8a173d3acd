import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { connectDb } from "~/db.server";
import { makeFigureDays } from "~/models/figures/figure-days.server";
import { actionSchema } from "~/server/admin/perform-action.server";
import { ADMINS, createAdmin, idOf } from "../../helpers/admins";
import { type Client, signUp } from "../../helpers/client";
import { createLot, DAY, passTime } from "../../helpers/credits";
import { listRoutes, pathTo } from "../../helpers/route-list";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ ADMIN_EMAILS: ADMINS[0], RATE_LIMIT_SCALE: "1000" });
let admin: Client;
let userId: string;

const PAGES = listRoutes().filter(({ address }) => address.startsWith("/{locale}/admin"));
const YESTERDAY = new Date(Date.now() - DAY).toISOString().slice(0, 10);

/** The names of the query's parameters, as the code of the admin pages reads them. */
const NAMES = [
  ...new Set(
    ["app/routes", "app/server/admin"].flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => folder !== "app/routes" || file.includes(".admin."))
        .flatMap((file) => {
          const source = readFileSync(`${folder}/${file}`, "utf8");
          return [...source.matchAll(/earchParams\.get\("(\w+)"\)/g)].map(([, name = ""]) => name);
        }),
    ),
  ),
];

/** A value of each parameter with which the pages go on, so that the others are looked at. */
const USUAL: Record<string, string> = {
  q: "somebody@example.com",
  day: YESTERDAY,
  figure: "revenue",
  do: "adjust",
  done: "adjust",
  target: randomUUID(),
  cursor: randomUUID(),
};

/** Values as they stand in an address. */
const HOSTILE = [
  ...["", "%00", "a%00b", "%0A%0D", "%25", "%E0%A4%A", "%ED%A0%80", "%F0%9F%92%A5", "%EF%BF%BF"],
  ...[
    "2026-02-31",
    "2026-02-30",
    "9999-99-99",
    "0000-00-00",
    "0000-01-01",
    "-0001-01-01",
    "infinity",
  ],
  ...["-1", "0", "1e309", "NaN", "9".repeat(18), "9".repeat(40), "null", "undefined", "__proto__"],
  ...["'", "%27%3B--", "%22", "%5C", "{}", "[]", "%7B%22a%22%3A1%7D", "..%2F..", "constructor"],
  ...["00000000-0000-0000-0000-000000000000", "ZZZZZZZZ-0000-4000-8000-000000000000"],
  "a".repeat(4_000),
];

beforeAll(async () => {
  admin = await createAdmin(app);
  userId = await idOf(app, (await signUp(app.url)).email);
  await app.sql("UPDATE users SET support_until = now() + interval '1 day' WHERE id = $1", [
    userId,
  ]);
  const db = connectDb(app.databaseUrl);
  await createLot(db, userId, 7);
  await passTime(db, userId, 3 * DAY);
  expect(await makeFigureDays({ limit: 9 }, db)).toBe(3);
  await db.$disconnect();
});

const errors = () => app.server.logs.filter(({ level }) => Number(level) >= 50);

test("every parameter that the pages read has a usual value here", () => {
  expect(NAMES.toSorted()).toEqual(Object.keys(USUAL).toSorted());
});

test.each(PAGES)(
  "$address is refused or shown, and never fails, whatever its query",
  async ({ address }) => {
    const path = pathTo(address, { userId });
    const usual = await admin.fetch(`${path}?${new URLSearchParams(USUAL)}`);
    expect(usual.status).toBe(200);
    for (const name of NAMES) {
      const { [name]: _, ...others } = USUAL;
      const ask = async (value: string) => {
        const query = `${name}=${value}`;
        const response = await admin.fetch(`${path}?${query}&${new URLSearchParams(others)}`);
        await response.text();
        return [query, response.status] as const;
      };
      const failed = (await Promise.all(HOSTILE.map(ask))).filter(([, status]) => status >= 500);
      expect(failed).toEqual([]);
    }
    expect(errors()).toEqual([]);
  },
);

test("the form of an action is refused, and never fails, whatever stands in its fields", async () => {
  const usual = {
    do: "adjust",
    key: randomUUID(),
    amount: "5",
    amountAgain: "5",
    reason: "a test",
  };
  const path = `/en/admin/users/${userId}/act?do=adjust`;
  for (const field of Object.keys(actionSchema.shape))
    for (const value of HOSTILE.slice(0, -1)) {
      const key = field === "key" ? {} : { key: randomUUID() };
      const { [field]: _, ...others }: Record<string, string> = { ...usual, ...key };
      const body = `${field}=${value}&${new URLSearchParams(others)}`;
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const response = await admin.fetch(path, { method: "POST", body, headers });
      await response.text();
      expect([field, value, response.status < 500]).toEqual([field, value, true]);
    }
  expect(errors()).toEqual([]);
});

test("an address that names no person is a page that isn't there", async () => {
  for (const value of HOSTILE.filter((text) => text !== "" && text !== "..%2F.."))
    for (const below of ["", "/act?do=adjust", "/content"]) {
      const response = await admin.fetch(`/en/admin/users/${value}${below}`);
      await response.text();
      expect([value, below, response.status < 500]).toEqual([value, below, true]);
    }
  expect(errors()).toEqual([]);
});
