import { createHash, randomBytes } from "node:crypto";
import express, { type Express } from "express";
import { serveLocally } from "../serve-locally";

/** Hard to guess, but the stand-in lists it as breached. */
export const BREACHED_PASSWORD = "leaked walnut harbour 58";

const PADDING_LINES = 20;

export interface BreachSandbox {
  env: Record<"PASSWORD_BREACH_API_BASE", string>;
  /** The requested paths, with the request's headers. */
  requests: { path: string; headers: Record<string, unknown> }[];
  stop(): Promise<void>;
}

/**
 * A stand-in for the range API of Have I Been Pwned. For 5 hexadecimal characters it lists the remaining
 * SHA-1 of each breached password that starts with them, and refuses any other path. With `Add-Padding`
 * it pads the response with counts of 0, like the real API.
 */
export async function startBreachSandbox({ port }: { port: number }): Promise<BreachSandbox> {
  const requests: BreachSandbox["requests"] = [];
  const server = await serveLocally(port, () => createRangeApi(requests));
  return { env: { PASSWORD_BREACH_API_BASE: server.url }, requests, stop: server.stop };
}

function createRangeApi(requests: BreachSandbox["requests"]): Express {
  const breached = sha1(BREACHED_PASSWORD);
  const app = express();
  app.get("/range/:prefix", (request, response) => {
    const { prefix } = request.params;
    requests.push({ path: request.path, headers: request.headers });
    if (!/^[0-9A-F]{5}$/i.test(prefix)) {
      response.status(400).type("text").send("The hash prefix was not in a valid format");
      return;
    }
    const lines = breached.startsWith(prefix.toUpperCase()) ? [`${breached.slice(5)}:3`] : [];
    if (request.get("Add-Padding") === "true") {
      const padding = () => `${sha1(randomBytes(8).toString("hex")).slice(5)}:0`;
      lines.push(...Array.from({ length: PADDING_LINES }, padding));
    }
    response.type("text").send(lines.sort().join("\r\n"));
  });
  return app;
}

function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex").toUpperCase();
}
