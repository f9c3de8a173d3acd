import { z } from "zod";
import { DEADLINE_DAYS, type Exception, lastDayOf, severitySchema } from "./exceptions";

/** An entry of `via` is an advisory, or the name of a package that has one. */
const viaSchema = z.union([
  z.string(),
  z.object({
    source: z.number(),
    name: z.string(),
    title: z.string(),
    url: z.string(),
    severity: severitySchema,
  }),
]);

const reportSchema = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(viaSchema) })),
});

interface Advisory extends Pick<Exception, "id" | "package" | "severity"> {
  title: string;
  url: string;
}

/** Returns every advisory in a report of `npm audit --json` once. */
function listAdvisories(report: unknown): Advisory[] {
  const { vulnerabilities } = reportSchema.parse(report);
  const advisories = new Map<string, Advisory>();
  for (const link of Object.values(vulnerabilities).flatMap(({ via }) => via)) {
    if (typeof link === "string") continue;
    const { source, name, severity, title, url } = link;
    const id = /GHSA(-\w{4}){3}$/.exec(url)?.[0] ?? `npm:${source}`;
    advisories.set(`${id} ${name}`, { id, package: name, severity, title, url });
  }
  return [...advisories.values()];
}

interface Judgement {
  /** A line for each advisory without an exception. */
  faults: string[];
  /** A line for each exception that holds, and each that is no longer needed. */
  notes: string[];
}

/**
 * Holds a report of `npm audit --json` against the exceptions. One covers one advisory of one package,
 * at the severity written in it.
 */
export function judgeReport(report: unknown, exceptions: Exception[]): Judgement {
  const advisories = listAdvisories(report);
  const find = (list: (Advisory | Exception)[], { id, package: name }: Advisory | Exception) =>
    list.find((one) => one.id === id && one.package === name);
  return {
    faults: advisories.flatMap((advisory) => {
      const { id, severity } = advisory;
      const entry = find(exceptions, advisory);
      if (!entry) return unlisted(advisory);
      if (entry.severity === severity) return [];
      return `${id} in ${entry.package} is of severity ${severity} now, and its exception says ${entry.severity}`;
    }),
    notes: exceptions.map((entry) => {
      const name = `${entry.id} in ${entry.package}`;
      if (!find(advisories, entry)) return `${name} is gone: remove its exception`;
      return `${name} (${entry.severity}): excepted until ${lastDayOf(entry)}`;
    }),
  };
}

function unlisted({ id, package: name, severity, title, url }: Advisory): string {
  const days = DEADLINE_DAYS[severity];
  return `${id} in ${name} (${severity}): ${title}. Update it, or list it with the day of its publication (${url}) as \`published\`: the exception then holds until ${days} days after that day`;
}
