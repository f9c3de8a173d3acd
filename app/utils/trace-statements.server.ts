import { inSpan, isTracing } from "~/utils/tracing.server";

/** Runs a statement inside a span. Its values are no part of the text, and the text isn't told either. */
export function inStatementSpan<Result>(sql: string, run: () => Promise<Result>): Promise<Result> {
  if (!isTracing()) return run();
  return inSpan(
    { name: nameOf(sql), kind: "client", facts: { "db.system.name": "postgresql" } },
    run,
  );
}

/** The name that we gave the statement, or its verb and its first table: `UPDATE metered_runs`. */
function nameOf(sql: string): string {
  const [, given] = /^-- prepared (\w+)/.exec(sql) ?? [];
  if (given) return given;
  const [verb = "statement"] = /[a-z]+/i.exec(sql) ?? [];
  const [, table = ""] =
    /\b(?:FROM|INTO|UPDATE|JOIN)\s{1,9}(?:"public"\.)?"?([a-z_]{1,63})/i.exec(sql) ?? [];
  return `${verb.toUpperCase()} ${table}`.trim();
}

/** A driver adapter of Prisma's whose statements, in transactions and outside, are spans. */
export function traceStatements<Adapter extends object>(adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name === "queryRaw" || name === "executeRaw")
        return (statement: { sql: string }) =>
          inStatementSpan(statement.sql, () => value.call(target, statement));
      if (name === "connect" || name === "startTransaction")
        return async (...args: unknown[]) => traceStatements(await value.apply(target, args));
      return value.bind(target);
    },
  });
}
