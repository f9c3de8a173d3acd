import { withClient } from "../../lib/with-client";

/** Creates users without credits and returns their ids. */
export function seedUsers(databaseUrl: string, count: number): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO users (email) SELECT 'bench-' || n || '@example.com'
       FROM generate_series(1, $1::int) n RETURNING id`,
      [count],
    );
    return rows.map(({ id }) => id);
  });
}
