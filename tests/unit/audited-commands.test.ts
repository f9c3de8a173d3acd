import { expect, test } from "vitest";
import { COMMANDS } from "../../scripts/commands.mjs";
import { readFolder, type TextFile } from "../../scripts/lib/read-files";
import { type CallGraph, keyOf, reach, readCallGraph } from "../helpers/call-graph";

/** SQL that changes rows, in a template or a text, or a call of Prisma's client. */
const WRITES =
  /\b(?:INSERT\s+INTO|UPDATE\s+[a-z"][\w".]*\s+(?:AS\s+\w+\s+)?SET|DELETE\s+FROM)\b|\b(?:db|transaction|attempt)\s*\.\w+\s*\.\s*(?:create|update|upsert|delete)(?:Many)?\(/i;
const AUDIT = keyOf("app/models/audit/audit-log.server.ts", "writeAudit");

/** Rows that say how a command went, and sums made anew from other rows: they change nothing of the service. */
const OWN_RECORDS = /\b(?:app_migrations|figure_days|job_runs|summaries)\b/;

/** The commands of production, each with what it can reach. A server is no command: it acts for its visitors. */
function listCommands(graph: CallGraph) {
  const starts = Object.values(COMMANDS).map((file) => keyOf(file, ""));
  const leaves = reach(graph, starts).filter(({ file, text }) => {
    return file.startsWith("scripts/") && /\brunCommand\(\s*\{/.test(text);
  });
  return leaves.map(({ file, name, text }) => {
    const reached = reach(graph, [keyOf(file, name)]);
    return {
      command: /\bname: (?:"([^"]+)"|`([^`]+)`)/.exec(text)?.slice(1).find(Boolean) ?? file,
      writes: reached.filter((one) => WRITES.test(one.text) && !OWN_RECORDS.test(one.text)),
      isAudited: reached.some((one) => keyOf(one.file, one.name) === AUDIT),
    };
  });
}

const isCode = /^(?!app\/generated\/)(?!.*\.test\.tsx?$).*\.tsx?$/;
const code: TextFile[] = [...readFolder("app", isCode), ...readFolder("scripts", isCode)];

test("every command that can change the database can write the audit log", () => {
  const commands = listCommands(readCallGraph(code));
  const names = commands.filter(({ writes }) => writes.length > 0).map(({ command }) => command);
  expect(names).toEqual(expect.arrayContaining(["ledger adjust", "users disable", "jobs retry"]));
  const forgotten = commands.filter(({ writes, isAudited }) => writes.length > 0 && !isAudited);
  expect(
    forgotten.map(({ command, writes }) => [
      command,
      writes.map(({ file, name }) => `${file}#${name}`),
    ]),
  ).toEqual([]);
  const readers = commands.filter(({ writes }) => writes.length === 0).map((one) => one.command);
  expect(readers).toEqual(expect.arrayContaining(["ledger verify", "webhooks list"]));
});

test("a command whose function forgets the row is found", () => {
  const files = code.map((one) =>
    one.file === "app/models/admin/account-actions.server.ts"
      ? { ...one, text: one.text.replaceAll("withAudit(", "withoutAudit(") }
      : one,
  );
  const forgotten = listCommands(readCallGraph(files)).filter(
    ({ writes, isAudited }) => writes.length > 0 && !isAudited,
  );
  expect(forgotten.map(({ command }) => command).toSorted()).toEqual([
    "acceptance",
    "users disable",
    "users enable",
    "users remove-factors",
    "users sign-out",
  ]);
});
