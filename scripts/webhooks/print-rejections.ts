import { listRejections, type Rejections } from "~/models/webhooks/rejections.server";
import { textTable } from "../lib/text-table";
import { withDatabase } from "../lib/with-database";

/** Prints refused signatures, the newest hours first. Returns the exit code. */
export async function printRejections({
  limit,
  json,
  print,
}: {
  limit: number;
  json: boolean;
  print(line: string): void;
}): Promise<number> {
  const rejections = await withDatabase((db) => listRejections({ limit }, db));
  if (json) print(JSON.stringify({ rejections }));
  else if (rejections.length === 0) print("no refused signatures");
  else for (const line of textTable([HEAD, ...rejections.map(cells)])) print(line);
  return 0;
}

const HEAD = ["hour", "provider", "reason", "count", "last"];
const cells = ({ hour, provider, reason, count, lastAt }: Rejections) => [
  hour.toISOString(),
  provider,
  reason,
  `${count}`,
  lastAt.toISOString(),
];
