import pg from "pg";

/**
 * Gives a database a clock that a test can set. Months can't be simulated by moving stored times,
 * since they have no fixed length. The functions come before PostgreSQL's own in the search path,
 * so the same statements read the fake time. Only connections opened from now on see them.
 */
export async function installFakeClock(databaseUrl: string, start: Date): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("CREATE TABLE fake_clock (at timestamptz NOT NULL)");
    await client.query("INSERT INTO fake_clock VALUES ($1)", [start]);
    for (const name of ["now", "statement_timestamp", "clock_timestamp"]) {
      await client.query(
        `CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql STABLE
           AS 'SELECT at FROM public.fake_clock'`,
      );
    }
    const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
    await client.query(`ALTER DATABASE "${rows[0]?.name}" SET search_path = public, pg_catalog`);
  } finally {
    await client.end();
  }
}
