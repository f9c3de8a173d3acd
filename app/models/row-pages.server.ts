/** A row's position in time order, more precise than a JavaScript Date. */
export interface Place {
  place: string;
  id: string;
}

export type Placed<Row> = Row & Place;

export interface PageOfRows {
  userId: string;
  /** A time in PostgreSQL's format; later rows are left out. */
  until: string;
  after: Place;
  limit: number;
}

const BEGINNING: Place = { place: "-infinity", id: "00000000-0000-0000-0000-000000000000" };

/** Rows held in memory at once, for any table. */
const ROWS_PER_PAGE = 200;

/**
 * All rows, fetched a page at a time on demand: nothing is read ahead, and nothing after the reader
 * stops. Each page is its own query, so a slow reader holds no connection.
 */
export async function* readPlaced<Row extends object>(
  page: (position: { after: Place; limit: number }) => Promise<Placed<Row>[]>,
): AsyncGenerator<Omit<Row, "place">> {
  let after = BEGINNING;
  for (;;) {
    const rows = await page({ after, limit: ROWS_PER_PAGE });
    for (const { place, ...row } of rows) yield row;
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_PAGE) return;
    after = last;
  }
}

/** The same for tables whose rows are never removed, positioned by the last row's id alone. */
export async function* readById<Id, Row extends { id: Id }>(
  page: (position: { after: Id | null; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let after: Id | null = null;
  for (;;) {
    const rows: Row[] = await page({ after, limit: ROWS_PER_PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_PAGE) return;
    after = last.id;
  }
}
