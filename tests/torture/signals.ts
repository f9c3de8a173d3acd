/** The signals that end a program, and the exit codes that shells give them. */
const CODES = new Map<NodeJS.Signals, number>([
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
]);

type Clean = () => Promise<unknown>;

const cleaners: Clean[] = [];
let leaving: Promise<void> | null = null;

/** A second signal changes nothing: it would leave behind what the first one is about to remove. */
function leave(signal: NodeJS.Signals): void {
  leaving ??= cleanAll().then(() => process.exit(CODES.get(signal)));
}

/** An error that nobody caught ends the program like a signal. */
function leaveBroken(error: unknown): void {
  console.error(error);
  leaving ??= cleanAll().then(() => process.exit(1));
}

function listen(change: "on" | "off"): void {
  for (const signal of CODES.keys()) process[change](signal, leave);
  process[change]("uncaughtException", leaveBroken);
}

async function cleanAll(): Promise<void> {
  for (const clean of cleaners.toReversed())
    await clean().catch((error: unknown) => console.error(error));
}

/** Runs `act`. After a signal nothing of what comes behind it happens: `clean` runs, then those around it, and the process ends. */
export async function untilSignal<Result>(
  act: () => Promise<Result>,
  clean: Clean,
): Promise<Result> {
  if (cleaners.length === 0) listen("on");
  cleaners.push(clean);
  try {
    return await act();
  } finally {
    await leaving;
    cleaners.splice(cleaners.indexOf(clean), 1);
    if (cleaners.length === 0) listen("off");
  }
}
