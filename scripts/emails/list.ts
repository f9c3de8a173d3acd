import { EMAIL_STATES, listEmails, type StoredEmail } from "~/models/emails/listing.server";
import { runCommand, UsageError } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { textTable } from "../lib/text-table";
import { withDatabase } from "../lib/with-database";

const MOST = 1000;

export const list: Subcommand = {
  summary: "print the newest emails",
  run: (args) =>
    runCommand(
      {
        name: "emails list",
        usage:
          "Prints the newest emails in the outbox, without their recipients, and changes nothing.",
        options: {
          state: { type: "string", value: EMAIL_STATES.join("|"), help: "only these" },
          limit: { type: "string", value: "rows", default: "20", help: `how many, up to ${MOST}` },
          json: { type: "boolean", help: "print one JSON object" },
        },
        async run({ values, print }) {
          const state = EMAIL_STATES.find((known) => known === values.state) ?? null;
          if (values.state !== undefined && !state)
            throw new UsageError(`--state takes ${EMAIL_STATES.join(", ")}, not '${values.state}'`);
          const limit = parseLimit(values.limit);
          const emails = await withDatabase((db) => listEmails({ state, limit }, db));
          if (values.json) print(JSON.stringify({ emails }));
          else if (emails.length === 0) print("no emails");
          else for (const line of textTable([HEAD, ...emails.map(cells)])) print(line);
          return 0;
        },
      },
      args,
    ),
};

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > MOST)
    throw new UsageError(`--limit takes a number from 1 to ${MOST}, not '${text}'`);
  return limit;
}

const HEAD = ["id", "user", "kind", "state", "tries", "queued", "next try", "error"];
const cells = (email: StoredEmail) => [
  email.id,
  email.userId ?? "-",
  email.kind,
  email.state,
  `${email.attempts}`,
  email.createdAt.toISOString(),
  email.nextAttemptAt?.toISOString() ?? "-",
  email.lastError ?? "",
];
