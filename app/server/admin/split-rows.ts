import type { AdminSection, SectionName } from "~/server/admin/user-view.server";

/** A list of a person's page shows so many rows at first. */
export const SHOWN_FIRST = 3;

/** Lists from which a mail is answered: they show their newest rows. The others show only rows that somebody looks for. */
const ANSWERING: readonly SectionName[] = [
  ...(["lots", "orders", "subscriptions", "deliveries"] as const),
  ...(["rejections", "kept", "movements"] as const),
];

type Rows = AdminSection["rows"];

/** Divides a list into what its page shows at first and what opens below it. Both keep the list's order. */
export function splitRows({ name, rows }: Pick<AdminSection, "name" | "rows">): {
  first: Rows;
  rest: Rows;
} {
  const wanted = rows.filter(({ isWanted }) => isWanted);
  const others = ANSWERING.includes(name) ? rows.filter(({ isWanted }) => !isWanted) : [];
  const chosen = new Set([...wanted, ...others].slice(0, SHOWN_FIRST));
  return {
    first: rows.filter((row) => chosen.has(row)),
    rest: rows.filter((row) => !chosen.has(row)),
  };
}
