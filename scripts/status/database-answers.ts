import type { Database } from "~/db.server";
import { listUnkept } from "~/models/images/unkept-images.server";
import { listBacklogs } from "~/models/upkeep/backlogs.server";
import { compareProcesses } from "~/models/upkeep/compare-processes";
import { getDayFigures } from "~/models/upkeep/day-figures.server";
import { type FactName, readFacts } from "~/models/upkeep/facts.server";
import { getGrantsJobHealth, getMaintenanceHealth } from "~/models/upkeep/job-runs.server";
import { listProcesses } from "~/models/upkeep/server-processes.server";
import { type Answer, ago, duration, plural } from "./answer";

/** The database's facts, asked once for all questions. */
export interface Facts {
  one(name: FactName): number;
  /** By label, without zeros. */
  each(name: FactName): [label: string, value: number][];
}

export async function askFacts(db: Database): Promise<Facts> {
  const rows = await readFacts(db);
  return {
    one: (name) => rows.find(({ metric }) => metric === name)?.value ?? 0,
    each: (name) =>
      rows
        .filter(({ metric, value }) => metric === name && value > 0)
        .map(({ label, value }) => [label, value]),
  };
}

const CRON = "run `npm run cron -- --once maintenance`; docs/incidents/scheduler-stopped.md";

export async function answerScheduler(db: Database, facts: Facts): Promise<Answer> {
  const [maintenance, dailyGrants] = [await getMaintenanceHealth(db), await getGrantsJobHealth(db)];
  const late = facts.one("rcs_grants_late");
  const problems = [];
  if (maintenance.overdue) problems.push(`Maintenance has not succeeded for 15 minutes: ${CRON}`);
  if (maintenance.failedTasks.length > 0)
    problems.push(
      `These tasks failed in its last run: ${maintenance.failedTasks.join(", ")}. The log says why`,
    );
  if (dailyGrants.overdue) problems.push("The daily grants have not succeeded for 26 hours");
  if (late > 0)
    problems.push(`${plural(late, "subscriber waits", "subscribers wait")} for monthly credits`);
  return {
    id: "scheduler",
    title: "Does the scheduler run?",
    lines: [
      `Maintenance last succeeded ${ago(maintenance.lastSuccessAt)}.`,
      `The daily grants last succeeded ${ago(dailyGrants.lastSuccessAt)}.`,
    ],
    problems,
    facts: { maintenance, dailyGrants, grantsLate: late },
  };
}

export function answerRuns(facts: Facts): Answer {
  const reserved = facts.each("rcs_runs_reserved");
  const stuck = facts.one("rcs_runs_past_deadline");
  const running = reserved.map(([action, count]) => `${count} of ${action}`).join(", ");
  return {
    id: "runs",
    title: "Which runs are going on?",
    lines: [running ? `Going on: ${running}.` : "No run is going on."],
    problems:
      stuck > 0
        ? [
            `${plural(stuck, "run is", "runs are")} past the deadline, and the credits are taken: ${CRON}`,
          ]
        : [],
    facts: { reserved: Object.fromEntries(reserved), pastDeadline: stuck },
  };
}

/** Seconds after which something that waits is overdue. */
const LATE = { deliveries: 900, emails: 1_800, jobs: 900 };

export async function answerWaiting(db: Database, facts: Facts): Promise<Answer> {
  const backlogs = await listBacklogs(db);
  const jobs = facts.each("rcs_jobs_waiting");
  const failed = facts.each("rcs_jobs_failed");
  const oldest = {
    deliveries: facts.one("rcs_webhooks_oldest_unprocessed_seconds"),
    emails: facts.one("rcs_emails_oldest_waiting_seconds"),
    jobs: Math.max(
      0,
      ...facts.each("rcs_jobs_oldest_waiting_seconds").map(([, seconds]) => seconds),
    ),
  };
  const counts = {
    deliveries: facts.one("rcs_webhooks_unprocessed"),
    dead: facts.one("rcs_webhooks_dead"),
    emails: facts.one("rcs_emails_waiting"),
  };
  const waits = (count: number, one: string, many: string, seconds: number) =>
    count > 0 ? `${plural(count, one, many)}, the oldest for ${duration(seconds)}.` : `No ${one}.`;
  const problems = backlogs.map(
    ({ task, waiting, limit }) =>
      `${waiting.toLocaleString("en")} rows wait for ${task}, and one run does ${limit}: docs/incidents/backlog.md`,
  );
  if (oldest.deliveries > LATE.deliveries)
    problems.push(
      "A payment event has waited for more than 15 minutes: docs/incidents/webhooks-failing.md",
    );
  if (counts.dead > 0)
    problems.push(
      `${plural(counts.dead, "payment event")} used up the attempts: npm run webhooks -- list --status dead`,
    );
  if (oldest.emails > LATE.emails)
    problems.push(
      "An email has been due for more than 30 minutes: npm run emails -- list --state waiting",
    );
  if (oldest.jobs > LATE.jobs)
    problems.push(
      "A job has waited for more than 15 minutes: docs/incidents/background-work-stopped.md",
    );
  for (const [kind, count] of failed)
    problems.push(
      `${plural(count, "job")} of kind ${kind} failed for good: npm run jobs -- list --state failed`,
    );
  return {
    id: "waiting",
    title: "What waits?",
    lines: [
      waits(counts.deliveries, "payment event waits", "payment events wait", oldest.deliveries),
      waits(counts.emails, "email waits", "emails wait", oldest.emails),
      waits(
        jobs.reduce((sum, [, count]) => sum + count, 0),
        "job waits",
        "jobs wait",
        oldest.jobs,
      ),
    ],
    problems,
    facts: {
      ...counts,
      oldestSeconds: oldest,
      jobs: Object.fromEntries(jobs),
      failedJobs: Object.fromEntries(failed),
      backlogs,
    },
  };
}

const BACKUP_LATE_HOURS = 36;

export function answerBackups(facts: Facts): Answer {
  const known = new Map(facts.each("rcs_last_success_timestamp_seconds"));
  const at = (work: string) => {
    const seconds = known.get(work);
    return seconds ? new Date(seconds * 1_000) : null;
  };
  const [backup, restore] = [at("backup"), at("restore")];
  const isLate = backup !== null && Date.now() - backup.getTime() > BACKUP_LATE_HOURS * 3_600_000;
  return {
    id: "backups",
    title: "When was the last backup?",
    lines: [
      backup
        ? `npm run db:backup last succeeded ${ago(backup)}.`
        : "npm run db:backup has made none. Backups that your host makes are not known here.",
      restore
        ? `This database was restored from one ${ago(restore)}.`
        : "This database was never restored.",
    ],
    problems: isLate
      ? ["The last backup is older than 36 hours: docs/incidents/backup-failed.md"]
      : [],
    facts: { backup, restore },
  };
}

export async function answerFigures(db: Database, facts: Facts): Promise<Answer> {
  const figures = await getDayFigures(db);
  const faults = facts.one("rcs_ledger_faults");
  const line = (of: keyof typeof figures.today, word: string) =>
    `${word}: ${figures.today[of].toLocaleString("en")}, yesterday by this time ${figures.yesterday[of].toLocaleString("en")}.`;
  return {
    id: "figures",
    title: "Does today look like yesterday?",
    lines: [
      line("sold", "Credits sold"),
      line("granted", "Credits granted"),
      line("spent", "Credits spent"),
      line("newUsers", "New accounts"),
      `Credits outstanding: ${figures.outstanding.toLocaleString("en")}.`,
    ],
    problems:
      faults > 0
        ? [`A sample of the ledger shows ${plural(faults, "fault")}: npm run ledger -- verify`]
        : [],
    facts: { ...figures, ledgerFaults: faults },
  };
}

export async function answerProcesses(db: Database): Promise<Answer> {
  const processes = await listProcesses(db);
  const health = compareProcesses(processes);
  const problems = [];
  if (processes.length === 0) problems.push("No server runs on this database");
  if (!health.sameSecret)
    problems.push("Processes have different AUTH_SECRETs: docs/incidents/processes-differ.md");
  if (processes.length > 0 && health.working === 0)
    problems.push(
      "No process does background work: unset WORKER on a server, or run `npm run worker`",
    );
  return {
    id: "processes",
    title: "What runs where?",
    lines: [
      ...processes.map(
        ({ kind, host, pid, version, fingerprint, works, startedAt }) =>
          `${kind} ${pid} on ${host}: ${version}; secret ${fingerprint}${works ? "" : "; no background work"}; started ${ago(startedAt)}.`,
      ),
      ...(health.sameVersion ? [] : ["They run different versions: normal during a deploy."]),
    ],
    problems,
    facts: health,
  };
}

const MOST_NAMED = 5;

export async function answerImages(db: Database): Promise<Answer> {
  const unkept = await listUnkept({ limit: 100 }, db);
  const named = unkept.slice(0, MOST_NAMED);
  return {
    id: "images",
    title: "Whose images were not kept?",
    lines:
      unkept.length === 0
        ? ["Storage has every image of the last week."]
        : [
            ...named.map(
              ({ userId, requests, newest }) =>
                `${plural(requests, "request")} of user ${userId}, the newest ${ago(newest)}.`,
            ),
            ...(unkept.length > named.length
              ? [`${unkept.length - named.length} more users: --json has them.`]
              : []),
            "They were charged, and the provider's addresses end within hours: tell them, or give the credits back with npm run ledger -- adjust.",
          ],
    problems: [],
    facts: { unkept },
  };
}

export async function answerOperators(db: Database): Promise<Answer> {
  const repairs = await db.creditRepair.findMany({
    orderBy: { id: "desc" },
    take: MOST_NAMED,
    distinct: ["repairId"],
    select: { operator: true, userId: true, createdAt: true },
  });
  return {
    id: "operators",
    title: "Who ran which command?",
    lines: [
      ...repairs.map(
        ({ operator, userId, createdAt }) =>
          `${operator} repaired the ledger of ${userId} ${ago(createdAt)}.`,
      ),
      "Commands log `operator_command` on standard error: journalctl -t credits-operator, if they run through systemd-cat (docs/one-machine.md).",
    ],
    problems: [],
    facts: { repairs },
  };
}
