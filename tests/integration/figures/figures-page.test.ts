import { expect, test } from "vitest";
import { CURRENCY } from "~/catalog";
import { FIGURES } from "~/components/figures/figure";
import { connectDb } from "~/db.server";
import { makeFigureDays } from "~/models/figures/figure-days.server";
import { PACK } from "../../fixtures/sold";
import { ADMINS, createAdmin } from "../../helpers/admins";
import { applyEvents, packCheckout, setUpBillingEnv } from "../../helpers/billing";
import { createLot, createUser, DAY, passTime } from "../../helpers/credits";
import { withTestServer } from "../../helpers/with-test-server";

const SUMMED_AFTER = 5 * 60_000;

setUpBillingEnv();
const app = withTestServer({ ADMIN_EMAILS: ADMINS[0] });

test("an admin sees each figure with its table and its file, at any day that is summed up", async () => {
  const admin = await createAdmin(app);
  const page = async (query = "") => {
    const response = await admin.fetch(`/en/admin/figures${query}`);
    expect(response.status).toBe(200);
    return response.text();
  };
  expect(await page()).toContain("No day is summed up yet");
  const db = connectDb(app.databaseUrl);
  try {
    const userId = await createUser(db);
    await applyEvents(db, packCheckout(userId));
    // A day is summed up five minutes after its end.
    await passTime(db, userId, 3 * DAY + SUMMED_AFTER);
    await createLot(db, userId, 7);
    await passTime(db, userId, 1 * DAY);
    await db.order.updateMany({ data: { paidAt: new Date(Date.now() - SUMMED_AFTER - 4 * DAY) } });
    expect(await makeFigureDays({ limit: 9 }, db)).toBe(4);
  } finally {
    await db.$disconnect();
  }
  const html = await page();
  for (const name of FIGURES) expect(html).toContain(`id="${name}"`);
  const dayOf = (daysAgo: number) =>
    new Date(Date.now() - SUMMED_AFTER - daysAgo * DAY).toISOString().slice(0, 10);
  const file = async (figure: string, day: string) => {
    const response = await admin.fetch(`/en/admin/figures.csv?figure=${figure}&day=${day}`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = (await response.text()).trim().split("\r\n").slice(1);
    return lines.map((line) => line.split(",").slice(1).join(","));
  };
  const bought = `${PACK.skuKey},${CURRENCY},${PACK.credits},5`;
  expect(await file("outstanding", dayOf(2))).toEqual([bought]);
  expect(await file("outstanding", dayOf(1))).toEqual([bought, "free,,7,0"]);
  expect(await file("revenue", dayOf(1))).toEqual([`${PACK.skuKey},${CURRENCY},5,0,5`]);
  expect((await admin.fetch("/en/admin/figures.csv?figure=secrets")).status).toBe(404);
  // Each page and each file that was shown leaves its row.
  const rows = await app.sql<{ after: unknown }>(
    "SELECT after FROM audit_log WHERE action = 'figures_viewed' ORDER BY id",
  );
  expect(rows.map(({ after }) => after)).toEqual([
    { day: dayOf(1) },
    { day: dayOf(2), figure: "outstanding" },
    { day: dayOf(1), figure: "outstanding" },
    { day: dayOf(1), figure: "revenue" },
  ]);
});
