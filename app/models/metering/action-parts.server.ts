import type { z } from "zod";
import type { DatabaseOrTransaction, Transaction } from "~/db.server";
import type { Prisma } from "~/generated/prisma/client";
import type { GrowingAction } from "~/models/metering/growing/growing-action";
import type { Run } from "~/models/metering/runs.server";
import type { PageOfRows, Placed } from "~/models/row-pages.server";

/** The body that asks for a run, and the units that are reserved for it. */
export interface RunRequest {
  schema: z.ZodType;
  /** @throws ZodError for a body that the schema refuses */
  unitsOf: (body: unknown) => number;
}

/** Makes a `RunRequest` whose units are counted from what the schema returns. */
export const runRequest = <Schema extends z.ZodType>(
  schema: Schema,
  unitsOf: (request: z.output<Schema>) => number,
): RunRequest => ({ schema, unitsOf: (body) => unitsOf(schema.parse(body)) });

/** The parts of an action that lie in its own table, and whether it is sold here. */
export interface ActionParts {
  /** Whether it is on in this installation. */
  isOn: () => boolean;
  /** Whether a provider is configured; without it one always is. */
  isReady?: () => boolean;
  /** A request for a run. */
  request: RunRequest;
  /** SQL: what a run of it was about, as a text or null. Selects by `run.id`. */
  subject: Prisma.Sql;
  /** SQL: its `RunPicture` as jsonb, or null. Selects by `run.id`. Null for an action without pictures. */
  picture: Prisma.Sql | null;
  /** For a result that grows while it is made, and can be read along. */
  growing?: GrowingAction;
  /** The results of settled runs as the API has them; without it they have none there. */
  results?: {
    /** The whole result of a run. */
    one: (run: Run) => Promise<object>;
    /** Results of several runs by the runs' ids, without data that are megabytes. */
    several: (runIds: string[]) => Promise<[runId: string, result: object][]>;
    /** Addresses of their pictures in our store, signed for so many seconds. Left out by an action that makes none. */
    pictures?: (asked: {
      runIds: string[];
      seconds: number;
    }) => Promise<[runId: string, urls: string[]][]>;
  };
  /** Its part of a person's export. */
  exported: {
    /** The part's name in the file. */
    name: string;
    /** One page of the account's rows, oldest first, as the file has them. */
    page: (
      position: PageOfRows & { siteUrl: URL },
      db: DatabaseOrTransaction,
    ) => Promise<Placed<object>[]>;
  };
  /** Erases what says something about the person. The runs and the ledger's rows stay. */
  erase: (accountId: string, transaction: Transaction) => Promise<void>;
}
