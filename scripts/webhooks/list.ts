import {
  listDeliveries,
  type StoredDelivery,
  type WebhookStatus,
} from "~/models/webhooks/listing.server";
import { describeError } from "~/utils/describe-error";
import { runCommand, UsageError } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { textTable } from "../lib/text-table";
import { withDatabase } from "../lib/with-database";
import { printRejections } from "./print-rejections";

const STATUSES: readonly WebhookStatus[] = ["processing", "processed", "failed", "dead"];
const MOST = 1000;
/** Maximum characters of an error in the table; `show` prints all of it. */
const ERROR_WIDTH = 60;

export const list: Subcommand = {
  summary: "print the newest deliveries",
  run: (args) =>
    runCommand(
      {
        name: "webhooks list",
        usage: `Prints the newest deliveries in the inbox, and changes nothing. With --rejected it prints those that
were refused for their signature, counted per hour: they are in no inbox.`,
        options: {
          status: { type: "string", value: STATUSES.join("|"), help: "only these" },
          rejected: { type: "boolean", help: "refused signatures, per hour" },
          limit: { type: "string", value: "rows", default: "20", help: `how many, up to ${MOST}` },
          json: { type: "boolean", help: "print one JSON object" },
        },
        async run({ values, print }) {
          const status = parseStatus(values.status);
          const limit = parseLimit(values.limit);
          if (values.rejected) {
            if (status) throw new UsageError("--rejected takes no --status");
            return printRejections({ limit, json: values.json === true, print });
          }
          const deliveries = await withDatabase((db) => listDeliveries({ status, limit }, db));
          if (values.json) print(JSON.stringify({ deliveries: deliveries.map(withoutToken) }));
          else if (deliveries.length === 0) print("no deliveries");
          else for (const line of textTable([HEAD, ...deliveries.map(cells)])) print(line);
          return 0;
        },
      },
      args,
    ),
};

function parseStatus(text: string | undefined): WebhookStatus | null {
  if (text === undefined) return null;
  const status = STATUSES.find((known) => known === text);
  if (!status) throw new UsageError(`--status takes ${STATUSES.join(", ")}, not '${text}'`);
  return status;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > MOST)
    throw new UsageError(`--limit takes a number from 1 to ${MOST}, not '${text}'`);
  return limit;
}

const HEAD = ["id", "provider", "type", "status", "tries", "received", "next try", "error"];
const cells = (delivery: StoredDelivery) => [
  delivery.id,
  delivery.provider,
  delivery.eventType,
  delivery.status,
  `${delivery.attempts}`,
  delivery.receivedAt.toISOString(),
  // Nothing retries a dead delivery by itself.
  (delivery.status !== "dead" && delivery.nextAttemptAt?.toISOString()) || "-",
  shorten(delivery.lastError ?? ""),
];

/** Prisma puts this before every database error, which leaves no room for the error itself. */
const PREAMBLE = /^Invalid `prisma\.\$\w+\(\)` invocation: (Raw query failed\. )?/;

function shorten(text: string): string {
  const line = describeError(text).replace(PREAMBLE, "");
  return line.length > ERROR_WIDTH ? `${line.slice(0, ERROR_WIDTH - 1)}…` : line;
}

/** A reader of the list has no use for the fencing token. */
function withoutToken({ leaseToken: _, ...delivery }: StoredDelivery) {
  return delivery;
}
