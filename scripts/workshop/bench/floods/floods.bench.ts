import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../../lib/free-port";
import { type Bench, type BenchContext, type Figure, spreadOf } from "../bench";
import { startServing } from "../serving-process";
import { floods } from "./floods";
import { confirm, type Look, look, uploadByForm } from "./look";
import { startBotChallenge, startStandIns } from "./stand-ins";
import { signUpFrom, type Visitor } from "./visitor";

/** Nobody may confirm more than 60 files in a minute. */
const NEIGHBOURS = 12;
/** The flood is under way when the neighbours come. */
const HEAD_START_MS = 2_000;

/** Milliseconds, milliseconds, megabytes. */
const GOALS = { health: 100, act: 1_000, memory: 300 } as const;

/**
 * Plays each flood of the security reviews against a built server with its real limits. Compares what
 * other people get meanwhile with what they got before, from the same process.
 */
export const floodsBench: Bench = {
  summary:
    "floods by one stranger: what others wait, and the memory, beside the same server at rest",
  async run(context) {
    const figures: Figure[] = [];
    for (const name of Object.keys(floods)) figures.push(...(await playFlood(name, context)));
    return figures;
  },
};

export async function playFlood(
  name: string,
  { server, onProgress }: BenchContext,
): Promise<Figure[]> {
  const flood = floods[name];
  if (!flood) throw new Error(`there is no flood '${name}'`);
  onProgress(`${name}: ${flood.what}`);
  const databaseUrl = await server.createDatabase();
  const port = await freePort(0, "127.0.0.1");
  const standIns = await startStandIns(`http://localhost:${port}`);
  const challenge = flood.hasBotChallenge ? await startBotChallenge() : null;
  const site = await startSite(databaseUrl, port, { ...standIns.env, ...challenge?.env });
  const attack = startFlood(name, site.url);
  const act = flood.neighbours === "form" ? uploadByForm : confirm;
  try {
    const neighbours = await signUpNeighbours(site.url, async () => challenge?.passed());
    await attack.ready;
    const served = { siteUrl: site.url, pid: site.process.pid ?? 0 };
    const atRest = await look(served, neighbours, act);
    attack.go();
    await wait(HEAD_START_MS);
    const meanwhile = await look(served, neighbours, act);
    onProgress(`${name}: ${JSON.stringify(await attack.stop())}`);
    return compare(name, { meanwhile, atRest, what: flood.neighbours ?? "confirm" });
  } finally {
    attack.kill();
    await site.stop();
    await standIns.stop();
    await challenge?.stop();
  }
}

/** The built server as `npm start` runs it behind one proxy, with the limits of production. */
const startSite = (databaseUrl: string, port: number, env: Record<string, string>) =>
  startServing({
    args: ["build/commands/start.js"],
    cwd: process.cwd(),
    readyPath: "/readyz",
    port,
    env: {
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: "only-for-the-bench-of-floods-0123456789",
      NEXT_PUBLIC_ENABLE_PAYMENTS: "true",
      NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
      PASSWORD_BREACH_CHECK: "false",
      TRUST_PROXY: "1",
      ...env,
    },
  });

/** Each from a network of their own. */
const signUpNeighbours = (
  siteUrl: string,
  fields: () => Promise<Record<string, string> | undefined>,
): Promise<Visitor[]> =>
  Promise.all(
    Array.from({ length: NEIGHBOURS }, async (_, index) =>
      signUpFrom(siteUrl, `203.0.113.${index + 1}`, await fields()),
    ),
  );

/** Starts a flood's process, which prepares it at once. */
function startFlood(name: string, siteUrl: string) {
  const program = fileURLToPath(new URL("./flood.main.ts", import.meta.url));
  const child: ChildProcess = fork(program, [name, siteUrl], { execArgv: ["--import", "tsx"] });
  const ended = once(child, "exit").then(() => {
    throw new Error(`the flood ${name} ended`);
  });
  const next = () => Promise.race([once(child, "message").then(([message]) => message), ended]);
  const ready = next();
  ready.catch(() => undefined);
  return {
    ready,
    go: () => child.send("go"),
    async stop(): Promise<Record<string, number>> {
      const counts = next();
      child.send("stop");
      return await counts;
    },
    kill() {
      ended.catch(() => undefined);
      child.kill("SIGKILL");
    },
  };
}

function compare(
  name: string,
  { meanwhile, atRest, what }: { meanwhile: Look; atRest: Look; what: string },
): Figure[] {
  const figure = (
    part: string,
    unit: Figure["unit"],
    [measured, reference]: [number, number],
    goal: number,
  ): Figure => ({
    what: `${name}: ${part}`,
    against: "at rest",
    unit,
    measured: spreadOf([measured]),
    reference: spreadOf([reference]),
    ratio: measured / reference,
    goal: { measuredAtMost: goal },
  });
  const grown = meanwhile.memory - atRest.memory;
  return [
    figure("/healthz, 99th", "ms", [meanwhile.health, atRest.health], GOALS.health),
    figure(`another's ${what}, 99th`, "ms", [meanwhile.act, atRest.act], GOALS.act),
    figure("memory above rest", "MB", [grown, atRest.memory], GOALS.memory),
  ];
}
