import type pg from "pg";
import { describeError } from "~/utils/describe-error";
import { withConnection } from "../db/connect";
import { MigrationError } from "../db/migration-error";
import { checkAdmins } from "./admins-check";
import { checkBackgroundWork } from "./background-check";
import { type Check, conclude, type Finding, fault, found, pass, skip, warning } from "./check";
import type { CheckId } from "./check-ids";
import type { Configuration } from "./configuration";
import { connectionRemedy } from "./connection-remedy";
import { checkConnections } from "./connections-check";
import type { DatabaseCheck } from "./database-check";
import { checkDeletedAccounts } from "./deleted-accounts-check";
import { checkUniqueKeys, UNIQUE_KEYS } from "./duplicate-checks";
import { checkDailyJob } from "./job-check";
import { checkLedger } from "./ledger-check";
import { checkMaintenance } from "./maintenance-check";
import { checkMigrations } from "./migration-check";
import { checkDirectAddress, checkPooler } from "./pooler-checks";
import { checkPrivateFiles } from "./private-files-check";
import { checkProcesses } from "./processes-check";
import { checkRejections } from "./rejections-check";
import { checkReturns } from "./returns-check";
import { checkInactiveProvider } from "./subscription-check";
import { checkTopUps } from "./top-ups-check";
import { checkUnsold } from "./unsold-check";

interface Options {
  migrationsFolder: string;
  isSkipped(id: CheckId): boolean;
}

/** A longer statement fails, so that it can't hold up the report. */
const STATEMENT_TIMEOUT_MS = 30_000;

/**
 * Runs the database checks in one read-only transaction. Without a connection, the connection check
 * fails and the others are skipped. With no check to run, it doesn't connect.
 */
export async function checkDatabase(
  configuration: Configuration,
  { migrationsFolder, isSkipped }: Options,
): Promise<Check[]> {
  const { databaseUrl } = configuration.env;
  const checks = listChecks(configuration, migrationsFolder);
  const wanted = checks.filter(({ id }) => !isSkipped(id));
  const skipped = checks.filter(({ id }) => isSkipped(id)).map(({ id }) => skip(id, NOT_WANTED));
  const skipRest = (reason: string) =>
    wanted.filter(({ id }) => id !== CONNECTION).map(({ id }) => skip(id, reason));
  if (wanted.length === 0) return skipped;
  if (!databaseUrl) {
    const reason = "DATABASE_URL is not usable: see env.database-url";
    return [...skipped, skip(CONNECTION, reason), ...skipRest(reason)];
  }
  try {
    const results = await withConnection(databaseUrl, (client) => runChecks(wanted, client));
    return [...skipped, ...results];
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    const connection = found(CONNECTION, [fault(error.message, connectionRemedy(error))]);
    return [...skipped, connection, ...skipRest("there is no database connection")];
  }
}

function listChecks(configuration: Configuration, folder: string): DatabaseCheck[] {
  return [
    { id: CONNECTION, run: checkVersion },
    checkPooler(configuration),
    checkDirectAddress(configuration),
    checkConnections(configuration),
    { id: CLOCK, run: checkClock },
    checkMigrations(folder),
    ...UNIQUE_KEYS.map(checkUniqueKeys),
    checkLedger(configuration),
    checkPrivateFiles(configuration),
    checkInactiveProvider(configuration),
    checkDeletedAccounts(),
    checkReturns(),
    checkUnsold(configuration),
    checkTopUps(),
    checkRejections(configuration),
    checkMaintenance(configuration),
    checkProcesses(configuration),
    checkDailyJob(configuration),
    checkBackgroundWork(),
    checkAdmins(configuration),
  ];
}

async function runChecks(checks: DatabaseCheck[], client: pg.Client): Promise<Check[]> {
  // In a transaction: a session setting would be passed on to the app by a pooler.
  await client.query("BEGIN TRANSACTION READ ONLY");
  await client.query(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
  const results: Check[] = [];
  for (const check of checks) results.push(await runCheck(check, client));
  await client.query("ROLLBACK");
  return results;
}

/** One failing check must not take the rest of the report with it. */
async function runCheck({ id, run }: DatabaseCheck, client: pg.Client): Promise<Check> {
  await client.query("SAVEPOINT before_check");
  try {
    return await run(client);
  } catch (error) {
    await client.query("ROLLBACK TO SAVEPOINT before_check");
    const action = "see the message; the check could not run";
    return found(id, [fault(describeError(error), action)]);
  }
}

const NOT_WANTED = "left out by --skip";
const CONNECTION = "database.connection";
const CLOCK = "database.clock";
const OLDEST_VERSION = 13;

async function checkVersion(client: pg.Client): Promise<Check> {
  const { rows } = await client.query<Server>(
    `SELECT current_setting('server_version_num')::int AS number,
       current_setting('server_version') AS text, current_database() AS name,
       pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool AS "readOnly"`,
  );
  const { number, text, name, readOnly } = rows[0] ?? { number: 0, text: "", name: "" };
  const findings: Finding[] = [];
  if (number < OLDEST_VERSION * 10_000)
    findings.push(
      fault(`PostgreSQL ${text} is too old`, `move to PostgreSQL ${OLDEST_VERSION} or later`),
    );
  if (readOnly)
    findings.push(
      fault(
        `${name} is read-only: it is a replica, or set to read-only`,
        "point DATABASE_URL at the primary",
      ),
    );
  const otherwise = pass(CONNECTION, `connected to ${name} on PostgreSQL ${text}`);
  return conclude(CONNECTION, findings, otherwise);
}

interface Server {
  number: number;
  text: string;
  name: string;
  readOnly?: boolean;
}

async function checkClock(client: pg.Client): Promise<Check> {
  const before = Date.now();
  const { rows } = await client.query<{ now: string }>(
    "SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now",
  );
  const after = Date.now();
  return judgeClock(Number(rows[0]?.now), before, after);
}

const WARN_SECONDS = 5;
/** Half of the 300 seconds for which a webhook's signature is valid. */
const FAIL_SECONDS = 150;

/**
 * Compares the database's clock with this machine's, in milliseconds; ignores the round trip's duration.
 */
export function judgeClock(database: number, before: number, after: number): Check {
  const skew = Math.max(0, before - database, database - after) / 1000;
  const seconds = `${Math.round(skew)} seconds`;
  const action = "synchronise both clocks with NTP; the database's decides what has expired";
  if (skew > FAIL_SECONDS)
    return found(CLOCK, [fault(`the database's clock and this one are ${seconds} apart`, action)]);
  if (skew > WARN_SECONDS)
    return found(CLOCK, [
      warning(`the database's clock and this one are ${seconds} apart`, action),
    ]);
  return pass(CLOCK, "the database's clock agrees with this one");
}
