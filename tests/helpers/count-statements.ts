import pg from "pg";
import { vi } from "vitest";

/** Runs the work and returns its result and the number of statements it sent. */
export async function countStatements<T>(
  work: () => Promise<T>,
): Promise<{ result: T; statements: number }> {
  const query = vi.spyOn(pg.Client.prototype, "query");
  try {
    const result = await work();
    const settings = query.mock.calls.filter(([text]) => text === ("SET TIME ZONE 'UTC'" as never));
    return { result, statements: query.mock.calls.length - settings.length };
  } finally {
    query.mockRestore();
  }
}
