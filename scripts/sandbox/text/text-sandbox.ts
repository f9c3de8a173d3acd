import express from "express";
import { controlRoutes } from "../fault-control";
import { serveLocally } from "../serve-locally";
import { completionRoutes, TEXT_KEY, TEXT_MODEL } from "./completions";
import { faultOrderSchema } from "./faults";
import { createSwitchboard } from "./switchboard";

export interface TextSandbox {
  /** Values of the app's variables for texts to use it. */
  env: Record<
    "NEXT_PUBLIC_ENABLE_TEXT_GENERATION" | `TEXT_PROVIDER_${"KEY" | "API_BASE" | "MODEL"}`,
    string
  >;
  /** Base URL for ordering faults and reading counters: see fault-control.ts. */
  controlUrl: string;
  stop(): Promise<void>;
}

/** Starts an endpoint for texts on this machine. `pieceMs` passes between two pieces of a streamed text. */
export async function startTextSandbox(options: {
  port: number;
  pieceMs?: number;
}): Promise<TextSandbox> {
  const switchboard = createSwitchboard();
  const { url, stop } = await serveLocally(options.port, () =>
    express()
      .disable("x-powered-by")
      .use("/control", controlRoutes(faultOrderSchema, switchboard))
      .use(completionRoutes(switchboard, options.pieceMs ?? 0)),
  );
  return {
    env: {
      NEXT_PUBLIC_ENABLE_TEXT_GENERATION: "true",
      TEXT_PROVIDER_KEY: TEXT_KEY,
      TEXT_PROVIDER_API_BASE: url,
      TEXT_PROVIDER_MODEL: TEXT_MODEL,
    },
    controlUrl: `${url}/control`,
    stop,
  };
}
