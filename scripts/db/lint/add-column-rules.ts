import type { Rule } from "./rules";
import { NAME } from "./statement-reader";

/** Evaluated once for all rows, so that the column is added without touching them. */
const NOT_VOLATILE = new Set(["now", "statement_timestamp", "transaction_timestamp"]);
const AFTER_DEFAULT =
  /\b(?:not null|null|check|unique|primary key|references|constraint|collate)\b/;

/** The rules that `ADD COLUMN` breaks on a table with rows. */
export function addColumnFaults(action: string): Rule[] {
  const definition = action.replace(new RegExp(`^add (?:column )?(?:if not exists )?${NAME} `), "");
  // What stands in parentheses is a CHECK's or a DEFAULT's own and names nothing of the column.
  const outside = withoutParentheses(definition);
  const value = /\bdefault (.*)$/.exec(definition)?.[1];
  const computed = isComputed(outside);
  return [
    ...(computed || (value !== undefined && callsVolatile(value))
      ? ["table-rewrite" as const]
      : []),
    ...(/\bnot null\b/.test(outside) && value === undefined && !computed
      ? ["required-column" as const]
      : []),
    // A reference from a column that is null in every row has nothing to check.
    ...(/\bcheck\b/.test(outside) || (/\breferences\b/.test(outside) && value !== undefined)
      ? ["constraint-scan" as const]
      : []),
    ...(/\b(unique|primary key)\b/.test(outside) ? ["blocking-index" as const] : []),
  ];
}

function isComputed(definition: string): boolean {
  const isStored = /\bgenerated\b.*\bas\b/.test(definition) && !/\bvirtual\b/.test(definition);
  return isStored || /^(small|big)?serial\d?\b/.test(definition);
}

/** Any function not known to be harmless: what a function of your own does cannot be seen here. */
function callsVolatile(value: string): boolean {
  const end = AFTER_DEFAULT.exec(value)?.index ?? value.length;
  const calls = value.slice(0, end).matchAll(/(?<!:: ?)\b([a-z_][\w.]*) ?\(/g);
  return [...calls].some(([, name = ""]) => !NOT_VOLATILE.has(name.replace(/^pg_catalog\./, "")));
}

function withoutParentheses(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, "");
  return shorter === text ? text : withoutParentheses(shorter);
}
