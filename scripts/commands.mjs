/**
 * The programs of production: the server and the operator commands, by their name after `npm run`. The
 * build makes one program of each, `build/commands/<name>.js`, with `-` for `:`.
 * @type {Record<string, string>}
 */
export const COMMANDS = {
  start: "scripts/start.ts",
  worker: "scripts/worker.ts",
  "db:migrate": "scripts/db/migrate.command.ts",
  "db:status": "scripts/db/status.command.ts",
  "db:push": "scripts/db/push.command.ts",
  "db:backup": "scripts/db/backup.command.ts",
  "db:restore": "scripts/db/restore.command.ts",
  preflight: "scripts/preflight/preflight.command.ts",
  ledger: "scripts/ledger/ledger.command.ts",
  users: "scripts/users/users.command.ts",
  "audit-log": "scripts/audit-log/audit-log.command.ts",
  emails: "scripts/emails/emails.command.ts",
  jobs: "scripts/jobs/jobs.command.ts",
  webhooks: "scripts/webhooks/webhooks.command.ts",
  report: "scripts/report/report.command.ts",
  billing: "scripts/billing/billing.command.ts",
  acceptance: "scripts/acceptance/acceptance.command.ts",
  cron: "scripts/cron/cron.command.ts",
};

/**
 * Returns the name of a command's built program in `build/commands/`, without `.js`.
 * @param {string} command
 */
export function programName(command) {
  return command.replace(":", "-");
}
