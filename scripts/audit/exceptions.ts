import { z } from "zod";

/** Days from an advisory's publication to its last day without a fix, as SECURITY.md promises. */
export const DEADLINE_DAYS = { critical: 2, high: 7, moderate: 30, low: 90 };

/** Days for which a weakness counts as harmless until somebody looks again. */
const MOST_DAYS = 366;

/** As npm calls them; "moderate" is CVSS's medium. */
export const severitySchema = z.enum(["critical", "high", "moderate", "low"]);

const entrySchema = z
  .strictObject({
    id: z.string().regex(/^(GHSA(-[0-9a-z]{4}){3}|npm:\d+)$/),
    package: z.string().min(1),
    severity: severitySchema,
    /** The day on which the advisory was published, which npm doesn't tell. */
    published: z.iso.date(),
    /** The remedy, or why the weakness does no harm here. */
    reason: z.string().min(20),
    /** The last day on which it counts as harmless. Without it the deadline of the severity holds. */
    harmlessUntil: z.iso.date().optional(),
  })
  .refine(({ published, harmlessUntil = published }) => published <= harmlessUntil, {
    path: ["harmlessUntil"],
    error: "lies before `published`",
  });

export const exceptionsSchema = z.array(entrySchema);

export type Exception = z.output<typeof entrySchema>;

/** The last day on which an exception counts, like 2026-11-21. */
export function lastDayOf({ published, severity, harmlessUntil }: Exception): string {
  if (harmlessUntil) return harmlessUntil;
  return daysAfter(published, DEADLINE_DAYS[severity]);
}

function daysAfter(date: string, days: number): string {
  const day = new Date(date);
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

/** Returns a line for each exception that counts no more, or not yet. `today` is a UTC date. */
export function listFaultyExceptions(list: Exception[], today: string): string[] {
  return list.flatMap((entry) => {
    const name = `${entry.id} in ${entry.package}`;
    if (entry.published > today) return `${name}: published on ${entry.published}, in the future`;
    const lastDay = lastDayOf(entry);
    if (lastDay > daysAfter(today, MOST_DAYS))
      return `${name}: \`harmlessUntil\` is more than a year away: choose a day on which somebody looks again`;
    if (lastDay >= today) return [];
    return `${name}: the exception ended on ${lastDay}: update the package, turn off what is weak, or write why it does no harm as \`reason\` and until when as \`harmlessUntil\``;
  });
}
