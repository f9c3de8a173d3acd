import { expect } from "vitest";
import type { Client } from "./client";
import { press } from "./payments";

/** Buys as a browser does: opens a checkout, presses Pay on the hosted page, comes back. */
export async function buyAt(client: Client, path: string, item: object) {
  const { status, body } = await client.json("POST", path, item);
  expect(status, JSON.stringify(body)).toBe(200);
  const paid = await press(String(body.url), { intent: "pay" });
  expect(paid.status).toBe(303);
  return body;
}

/** Returns the user's spendable credits. */
export async function readBalance(client: Client): Promise<number> {
  return Number((await client.json("GET", "/api/account/credits")).body.balance);
}

/** Returns the stand-in's control address, as `npm run dev` prints it. */
export function controlOf(output: string): string {
  return /http:\/\/\S+\/control/.exec(output)?.[0] ?? "";
}
