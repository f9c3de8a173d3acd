import { setTimeout as sleep } from "node:timers/promises";
import type { Response } from "express";

/** Longer than the app waits. */
const SLOW_MS = 7_000;

/** Responds with the ordered fault, and returns whether there was a response. A slow one is no response. */
export async function showFault(fault: string | null, response: Response): Promise<boolean> {
  if (fault?.startsWith("slow")) await sleep(SLOW_MS);
  if (!fault?.startsWith("down")) return false;
  response.status(503).type("text").send("unavailable");
  return true;
}
