import { getPayload, type StoredDelivery } from "~/models/webhooks/listing.server";
import { parseJsonObject } from "~/services/payments/payload";
import { describeError } from "~/utils/describe-error";
import { runCommand } from "../lib/command";
import type { Subcommand } from "../lib/subcommands";
import { withDatabase } from "../lib/with-database";
import { redactPayload } from "./redact-payload";
import { requireDelivery } from "./require-delivery";

export const show: Subcommand = {
  summary: "print one delivery with its payload",
  run: (args) =>
    runCommand(
      {
        name: "webhooks show",
        usage: `Prints a delivery, and its payload without personal data and secrets.
Takes a row's id, an event id (evt_…) or a dedupe key (id:…, sha256:…).`,
        positionals: ["id"],
        options: {
          raw: { type: "boolean", help: "print only the stored bytes, unredacted" },
        },
        async run({ values, positionals: [reference = ""], print }) {
          const { delivery, payload } = await withDatabase(async (db) => {
            const delivery = await requireDelivery(reference, db);
            return { delivery, payload: await getPayload(delivery.id, db) };
          });
          if (values.raw) {
            if (!payload) throw new Error("the payload was dropped");
            await writeBytes(payload);
            return 0;
          }
          for (const [label, value] of describe(delivery)) print(`${label.padEnd(10)} ${value}`);
          print("");
          print(payload ? describePayload(payload) : "the payload was dropped");
          return 0;
        },
      },
      args,
    ),
};

const time = (at: Date | null) => at?.toISOString() ?? "-";

function describe(delivery: StoredDelivery): [label: string, value: string][] {
  const lease = delivery.leaseUntil
    ? `until ${time(delivery.leaseUntil)}${delivery.leased ? "" : " (over)"}, token ${delivery.leaseToken}`
    : "free";
  return [
    ["id", delivery.id],
    ["provider", delivery.provider],
    ["key", delivery.dedupeKey],
    ["type", delivery.eventType],
    ["status", delivery.status],
    ["tries", `${delivery.attempts}`],
    ["lease", lease],
    ["received", time(delivery.receivedAt)],
    ["processed", time(delivery.processedAt)],
    ["next try", time(delivery.nextAttemptAt)],
    ["error", describeError(delivery.lastError ?? "-")],
    ["payload", delivery.payloadSize === null ? "dropped" : `${delivery.payloadSize} bytes`],
  ];
}

function describePayload(payload: Uint8Array): string {
  const json = parseJsonObject(payload);
  if (!json) return "the payload is not a JSON object: --raw prints it";
  return JSON.stringify(redactPayload(json), null, 2);
}

/** Not with `print`, which would redact secrets: these are the signed bytes. */
function writeBytes(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
