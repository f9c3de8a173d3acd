import { connectDb } from "~/db.server";
import { allowSupport } from "~/models/accounts/support-access.server";
import { makeFigureDays } from "~/models/figures/figure-days.server";

/** More than the story's months. */
const DAYS = 400;

/** Sums the story's days up, and lets the support look, so that the admin pages have something to show. */
export async function showToAdmins(databaseUrl: string, userId: string): Promise<void> {
  const db = connectDb(databaseUrl);
  try {
    await makeFigureDays({ limit: DAYS }, db);
    await allowSupport(userId, db);
  } finally {
    await db.$disconnect();
  }
}
