import { randomUUID } from "node:crypto";
import { ACTIONS, creditsFor } from "~/catalog";
import type { MeteredRunStatus } from "~/generated/prisma/enums";
import type { StoredImage } from "~/models/images/generations.server";
import type { ServerUnderTest } from "./with-test-server";

/** A run for images as it stands in the database. */
export interface StoredImageRun {
  prompt: string;
  status: MeteredRunStatus;
  n?: number;
  size?: string;
  /** Of a settled run. It is charged for them. */
  images?: StoredImage[];
  provider?: string;
  passedOver?: string[];
  createdAt?: Date;
  settledAt?: Date;
}

/**
 * Stores runs of a person with what they are about, and returns their ids. The ledger isn't touched: a test that needs a
 * charge makes a real run (`chargeImages`).
 */
export async function storeImageRuns(
  { sql }: Pick<ServerUnderTest, "sql">,
  email: string,
  runs: StoredImageRun[],
): Promise<string[]> {
  const [account] = await sql<{ id: string }>(
    `WITH account AS (
       INSERT INTO credit_accounts (user_id) SELECT id FROM users WHERE email = $1 ON CONFLICT DO NOTHING)
     SELECT id FROM users WHERE email = $1`,
    [email],
  );
  if (!account) throw new Error(`nobody has the address ${email}`);
  const rows = runs.map((run) => rowsOf(account.id, run));
  const insert = (table: string, list: object[]) => {
    const columns = Object.keys(list[0] ?? {}).join(", ");
    return sql(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(list)],
    );
  };
  await insert(
    "metered_runs",
    rows.map(({ run }) => run),
  );
  await insert(
    "image_generations",
    rows.map(({ image }) => image),
  );
  return rows.map(({ image }) => image.id);
}

/** Its rows, by the names of their columns. */
function rowsOf(
  accountId: string,
  {
    prompt,
    status,
    n = 1,
    size = "square",
    images = [],
    provider,
    passedOver = [],
    createdAt = new Date(),
    settledAt = createdAt,
  }: StoredImageRun,
) {
  const id = randomUUID();
  const { price } = ACTIONS.image;
  const leaseEnd = new Date(createdAt.getTime() + 60 * 60 * 1000);
  const run = {
    id,
    account_id: accountId,
    actor_id: accountId,
    action: "image",
    request_hash: id,
    unit_credits: price.credits,
    unit_size: price.per,
    least_credits: price.least,
    units_reserved: n,
    units_used: images.length,
    credits_reserved: creditsFor("image", n),
    credits_charged: status === "settled" ? creditsFor("image", images.length) : 0,
    status,
    provider: provider ?? null,
    error: status === "refunded" ? "generation_failed" : null,
    lease_until: leaseEnd,
    deadline_at: leaseEnd,
    created_at: createdAt,
    settled_at: status === "reserved" ? null : settledAt,
  };
  return { run, image: { id, prompt, n, size, images, passed_over: passedOver } };
}
