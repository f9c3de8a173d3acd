import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { closeGlobalFetch } from "~/services/outgoing/platform-fetch.server";
import { describeError } from "~/utils/describe-error";
import { serializeError } from "~/utils/serialize-error";
import { COMMANDS } from "../commands.mjs";
import { redactSecrets } from "./redact";

interface Option {
  type: "boolean" | "string";
  short?: string;
  multiple?: boolean;
  default?: boolean | string;
  /** Says what it does, for `--help`. */
  help: string;
  /** Placeholder of a string option's value, for `--help`: `seconds`. */
  value?: string;
}

type Options = Record<string, Option>;

type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; strict: true; allowPositionals: true }>
>["values"];

interface Command<O extends Options> {
  /** As typed after `npm run`; a subcommand's name has two words: `ledger show`. */
  name: string;
  /** Says what it does, for `--help`; the first line is a summary. */
  usage: string;
  /**
   * Names of the arguments, in order. One that ends in `?` is optional; a last one that ends in `...`
   * can be repeated.
   */
  positionals?: string[];
  options?: O;
  /** Returns an exit code other than 0, if any. Throws for one line on standard error and exit code 1. */
  run(context: CommandContext<O>): Promise<number | undefined>;
}

interface CommandContext<O extends Options> {
  values: Values<O>;
  positionals: string[];
  /** Prints one line on standard output, redacted. */
  print(line: string): void;
  /** Prints one line on standard error, redacted: for people, not for pipes. */
  warn(line: string): void;
}

/** Wrong arguments: one line that points to `--help`, and exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Runs an operator command: reads `.env` (the real environment wins), parses arguments strictly, prints
 * `--help`, and turns any error into one redacted line and a non-zero exit code. With `LOG_LEVEL=debug`
 * the stack follows that line. Never rejects.
 */
export async function runCommand<O extends Options>(
  command: Command<O>,
  args = process.argv.slice(2),
): Promise<void> {
  const print = (line: string) => void process.stdout.write(`${redactSecrets(line)}\n`);
  const warn = (line: string) => void process.stderr.write(`${redactSecrets(line)}\n`);
  const fail = (error: unknown) => {
    const isUsage = error instanceof UsageError;
    warn(`${command.name}: ${describeError(error)}${isUsage ? " (--help says more)" : ""}`);
    if (process.env.LOG_LEVEL === "debug") warn(serializeError(error).stack ?? "no stack");
    process.exitCode = isUsage ? 2 : 1;
  };
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of the output, such as `head`, has read enough.
    if (error.code === "EPIPE") process.exit();
    fail(error);
    process.exit();
  });
  process.once("uncaughtException", (error) => {
    fail(error);
    process.exit();
  });

  // Production's commands may call only the server's addresses; development's tools may call any.
  const [script = ""] = command.name.split(" ");
  if (script in COMMANDS) closeGlobalFetch();
  try {
    const { values, positionals } = parse(command, args);
    if ("help" in values && values.help) return print(helpText(command));
    checkCount(command.positionals ?? [], positionals);
    if (existsSync(".env")) process.loadEnvFile(".env");
    process.exitCode = (await command.run({ values, positionals, print, warn })) ?? 0;
  } catch (error) {
    fail(error);
  }
}

function parse<O extends Options>(command: Command<O>, args: string[]) {
  try {
    return parseArgs({
      args,
      options: { ...(command.options as O), help: { type: "boolean", short: "h" } },
      strict: true,
      allowPositionals: true,
    });
  } catch (error) {
    // Node adds advice for the parser's author; only the first sentence is for the user.
    throw new UsageError(describeError(error).split(/\.\s/)[0]);
  }
}

function checkCount(names: string[], given: string[]): void {
  const missing = names.slice(given.length).find((name) => !/(\?|\.\.\.)$/.test(name));
  if (missing) throw new UsageError(`missing argument <${missing}>`);
  const extra = given[names.length];
  if (extra !== undefined && !names.at(-1)?.endsWith("..."))
    throw new UsageError(`unexpected argument '${extra}'`);
}

/** Returns the text of `--help`. */
export function helpText(
  command: Pick<Command<Options>, "name" | "usage" | "positionals" | "options">,
) {
  const takes = (command.positionals ?? []).map((name) => {
    if (name.endsWith("...")) return `[${name}]`;
    return name.endsWith("?") ? `[${name.slice(0, -1)}]` : `<${name}>`;
  });
  const options = { ...command.options, help: { short: "h", help: "print this" } as Option };
  const rows = Object.entries(options).map(([name, option]) => ({
    flag: `${option.short ? `-${option.short}, ` : ""}--${name}${option.value ? ` <${option.value}>` : ""}`,
    help: option.help + (option.default === undefined ? "" : ` (default ${option.default})`),
  }));
  const width = Math.max(...rows.map((row) => row.flag.length));
  const [script, ...words] = command.name.split(" ");
  return [
    `npm run ${[script, "--", ...words, ...takes, "[options]"].join(" ")}`,
    "",
    command.usage.trim(),
    "",
    ...rows.map((row) => `  ${row.flag.padEnd(width)}  ${row.help}`),
  ].join("\n");
}

/** Converts an option in seconds (fractions allowed) to milliseconds. Throws UsageError. */
export function secondsOption(flag: string, text: string): number {
  const seconds = Number(text);
  const MOST = 24 * 60 * 60;
  if (!/^\d+(\.\d+)?$/.test(text) || seconds > MOST) {
    throw new UsageError(`--${flag} takes seconds from 0 to ${MOST}, not '${text}'`);
  }
  return Math.round(seconds * 1000);
}
