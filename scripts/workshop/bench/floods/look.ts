import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { PNG } from "#tests/helpers/sample-files";
import { timed } from "../bench";
import { storePicture, type Visitor } from "./visitor";

const ACTS = 100;
const AT_ONCE = 4;
const LOOK_EVERY_MS = 50;

/** How a server fares for others during one time. */
export interface Look {
  /** Milliseconds that the 99th of 100 took; infinite if it was refused. */
  health: number;
  act: number;
  /** Megabytes of resident memory, at their highest. */
  memory: number;
}

/** Something that a neighbour does. Returns its milliseconds; throws if the server refuses it. */
export type Act = (neighbour: Visitor) => Promise<number>;

/**
 * Lets the neighbours act 100 times, four at a time, and asks `/healthz` and the process's memory
 * meanwhile.
 */
export async function look(
  { siteUrl, pid }: { siteUrl: string; pid: number },
  neighbours: Visitor[],
  act: Act,
): Promise<Look> {
  const over = new AbortController();
  const health = sampleHealth(siteUrl, over.signal);
  const memory = sampleMemory(pid, over.signal);
  const times: number[] = [];
  let turns = 0;
  const chain = async () => {
    while (turns < ACTS) {
      const neighbour = neighbours[turns % neighbours.length];
      turns += 1;
      if (neighbour) times.push(await act(neighbour).catch(() => Number.POSITIVE_INFINITY));
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, chain));
  } finally {
    over.abort();
  }
  return {
    health: ninetyNinth(await health),
    act: ninetyNinth(times),
    memory: Math.max(...(await memory)),
  };
}

/** Confirms a small picture that was stored directly. */
export const confirm: Act = async (neighbour) => {
  const fileId = await storePicture(neighbour, PNG);
  return await timed(async () => {
    const { status } = await neighbour.json("/api/storage/confirm", { fileId });
    if (status !== 200) throw new Error(`a neighbour's confirm got ${status}`);
  });
};

/** Uploads a small picture by the form. */
export const uploadByForm: Act = (neighbour) =>
  timed(async () => {
    const body = new FormData();
    body.set("file", new Blob([new Uint8Array(PNG)], { type: "image/png" }), "a.png");
    const response = await neighbour.send("/en/files", { method: "POST", body });
    await response.arrayBuffer();
    if (response.status !== 303) throw new Error(`a neighbour's upload got ${response.status}`);
  });

async function sampleHealth(siteUrl: string, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) {
    const began = performance.now();
    const response = await fetch(`${siteUrl}/healthz`);
    await response.arrayBuffer();
    times.push(performance.now() - began);
    await wait(LOOK_EVERY_MS);
  }
  return times;
}

async function sampleMemory(pid: number, signal: AbortSignal): Promise<number[]> {
  const sizes: number[] = [];
  while (!signal.aborted) {
    const [, kilobytes] =
      /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
    sizes.push(Number(kilobytes) / 1024);
    await wait(LOOK_EVERY_MS);
  }
  return sizes;
}

const ninetyNinth = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;
