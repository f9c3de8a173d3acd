import { NAME, type ReadStatement, tableKey } from "./statement-reader";

interface NotNullCheck {
  table: string;
  column: string;
  /** Null where the file gave the constraint no name. */
  constraint: string | null;
  validated: boolean;
}

const CREATE_TABLE = new RegExp(
  `^create (?:(?:global |local )?(?:temp|temporary) |unlogged )?table (?:if not exists )?(${NAME})`,
);
const NOT_NULL_CHECK = new RegExp(
  `^add (?:constraint (${NAME}) )?check ?\\(+ ?(${NAME}) is not null ?\\)+( not valid)?`,
);
const VALIDATE = new RegExp(`^validate constraint (${NAME})`);

/** What the rules need to know of the statements before the one at hand, in this file and before it. */
export interface SchemaSoFar {
  /** Whether this file made the table, so that nobody can hold rows in it or wait for it. */
  isNew(table: string): boolean;
  /** Whether a validated CHECK says that the column is not null: PostgreSQL then scans nothing. */
  hasNotNullCheck(table: string, column: string): boolean;
  beginFile(): void;
  follow(statement: ReadStatement): void;
}

export function createSchemaSoFar(): SchemaSoFar {
  const created = new Set<string>();
  const checks: NotNullCheck[] = [];
  return {
    isNew: (table) => created.has(table),
    hasNotNullCheck: (table, column) =>
      checks.some((check) => check.table === table && check.column === column && check.validated),
    beginFile: () => created.clear(),
    follow({ plain, table, actions }) {
      const name = CREATE_TABLE.exec(plain)?.[1];
      if (name !== undefined) created.add(tableKey(name));
      for (const action of table === null ? [] : actions) {
        followAction(checks, table ?? "", action);
      }
    },
  };
}

function followAction(checks: NotNullCheck[], table: string, action: string): void {
  const check = NOT_NULL_CHECK.exec(action);
  if (check) {
    const [, constraint, column = "", notValid] = check;
    checks.push({
      table,
      column: tableKey(column),
      constraint: constraint === undefined ? null : tableKey(constraint),
      validated: notValid === undefined,
    });
  }
  const validated = VALIDATE.exec(action)?.[1];
  if (validated === undefined) return;
  for (const known of checks) {
    if (known.table === table && known.constraint === tableKey(validated)) known.validated = true;
  }
}
