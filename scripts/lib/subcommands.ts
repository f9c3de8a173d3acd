import { runCommand, UsageError } from "./command";

export interface Subcommand {
  /** One line for the list of subcommands. */
  summary: string;
  /** Runs it with `runCommand` and the arguments after its name. */
  run(args: string[]): Promise<void>;
}

interface Subcommands {
  /** As typed after `npm run`. */
  name: string;
  usage: string;
  commands: Record<string, Subcommand>;
}

/** Runs the subcommand that the first argument names; without one, or with only `--help`, lists them. */
export async function runSubcommand(
  { name, usage, commands }: Subcommands,
  args: string[] = process.argv.slice(2),
): Promise<void> {
  const [first = "", ...rest] = args;
  const chosen = Object.hasOwn(commands, first) ? commands[first] : undefined;
  if (chosen) return chosen.run(rest);
  const width = Math.max(...Object.keys(commands).map((word) => word.length));
  const list = Object.entries(commands).map(
    ([word, { summary }]) => `  ${word.padEnd(width)}  ${summary}`,
  );
  await runCommand({
    name,
    usage: [usage, "", ...list].join("\n"),
    positionals: ["command"],
    async run({ positionals: [word] }) {
      throw new UsageError(`there is no command '${word}'`);
    },
  });
}
