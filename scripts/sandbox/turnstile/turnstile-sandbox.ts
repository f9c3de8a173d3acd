import express, { type Express } from "express";
import { z } from "zod";
import { serveLocally } from "../serve-locally";
import { challengeScript, widgetPage } from "./browser-side";
import { type Mode, modeSchema } from "./mode";
import { createTokens, type Tokens } from "./tokens";

const SITE_KEY = "sandbox-site-key";
const SECRET_KEY = "sandbox-secret-key";

const verifySchema = z.object({
  secret: z.string().default(""),
  response: z.string().default(""),
  remoteip: z.string().optional(),
  idempotency_key: z.string().optional(),
});

export interface TurnstileSandbox {
  env: Record<
    "NEXT_PUBLIC_TURNSTILE_SITE_KEY" | "TURNSTILE_SECRET_KEY" | "TURNSTILE_API_BASE",
    string
  >;
  controlUrl: string;
  stop(): Promise<void>;
}

/**
 * A stand-in for Cloudflare Turnstile: the browser's script with its frame, siteverify, and a remote
 * control that tells it to fail.
 */
export async function startTurnstileSandbox({ port }: { port: number }): Promise<TurnstileSandbox> {
  const { url, stop } = await serveLocally(port, createTurnstile);
  const env = {
    NEXT_PUBLIC_TURNSTILE_SITE_KEY: SITE_KEY,
    TURNSTILE_SECRET_KEY: SECRET_KEY,
    TURNSTILE_API_BASE: url,
  };
  return { env, controlUrl: `${url}/control`, stop };
}

function createTurnstile(url: string): Express {
  const tokens = createTokens();
  const state = { mode: modeSchema.parse({}), verified: [] as z.output<typeof verifySchema>[] };
  const app = express();
  app.use(express.urlencoded({ extended: false }), express.json());
  app.get("/turnstile/v0/api.js", (_request, response) => {
    response.type("js").send(challengeScript(url));
  });
  app.get("/turnstile/v0/widget", (request, response) => {
    const made = tokenSchema.parse(request.query);
    response.send(widgetPage({ token: tokens.issue(made), widget: state.mode.widget }));
  });
  app.post("/turnstile/v0/siteverify", (request, response) => {
    const asked = verifySchema.parse(request.body);
    state.verified.push({ ...asked, secret: "" });
    if (state.mode.verdict === "timeout") return;
    if (state.mode.verdict === "down") return void response.status(503).send("down");
    response.json(judge(tokens, asked, state.mode));
  });
  app.put("/control/mode", (request, response) => {
    state.mode = modeSchema.parse(request.body);
    response.json(state.mode);
  });
  app.post("/control/tokens", (request, response) => {
    response.json({ token: tokens.issue(tokenSchema.parse(request.body)) });
  });
  app.get("/control/requests", (_request, response) => {
    response.json(state.verified);
  });
  return app;
}

const tokenSchema = z.object({ action: z.string(), hostname: z.string() });

function judge(tokens: Tokens, asked: z.output<typeof verifySchema>, { verdict }: Mode) {
  const refuse = (code: string) => ({ success: false, "error-codes": [code] });
  if (asked.secret !== SECRET_KEY)
    return refuse(asked.secret ? "invalid-input-secret" : "missing-input-secret");
  if (!asked.response) return refuse("missing-input-response");
  const used = tokens.use(asked.response, asked.idempotency_key);
  if (used === "unknown" || verdict === "fail") return refuse("invalid-input-response");
  if (used === "used_before") return refuse("timeout-or-duplicate");
  return {
    success: true,
    "error-codes": [],
    challenge_ts: new Date().toISOString(),
    ...used,
    cdata: "",
  };
}
