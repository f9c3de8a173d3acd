import http from "node:http";
import net from "node:net";
import express from "express";
import { controlRoutes } from "../fault-control";
import { FAL_KEY, falRoutes } from "./fal";
import { faultOrderSchema } from "./faults";
import { OPENAI_KEY, openaiRoutes } from "./openai";
import { pictureRoutes } from "./pictures";
import { REPLICATE_KEY, replicateRoutes } from "./replicate";
import { createSwitchboard } from "./switchboard";

export interface ImageSandbox {
  /** Values of the app's image variables to use it. */
  env: Record<
    "NEXT_PUBLIC_ENABLE_IMAGE_GENERATION" | `IMAGE_PROVIDER_${1 | 2 | 3}_${"KEY" | "API_BASE"}`,
    string
  >;
  /** Base URL for ordering faults and reading counters: see fault-control.ts. */
  controlUrl: string;
  /** Unreachable API bases: one refuses connections, the other never completes a TLS handshake. */
  unreachable: { refusing: string; silent: string };
  stop(): Promise<void>;
}

const HOST = "127.0.0.1";
/** A privileged port that nothing listens on. */
const REFUSING = `http://${HOST}:1`;

/** Starts the three image providers on this machine, each with its own wire format. */
export async function startImageSandbox(options: { port: number }): Promise<ImageSandbox> {
  const switchboard = createSwitchboard();
  const app = express();
  app.disable("x-powered-by");
  app.use("/control", controlRoutes(faultOrderSchema, switchboard));
  app.use("/pictures", pictureRoutes(switchboard));
  app.use("/fal", falRoutes(switchboard));
  app.use("/replicate", replicateRoutes(switchboard));
  app.use("/openai", openaiRoutes(switchboard));

  const server = http.createServer(app);
  const held = new Set<net.Socket>();
  const silent = net.createServer((socket) => {
    held.add(socket.on("error", () => socket.destroy()));
  });
  const origin = `http://${HOST}:${await listen(server, options.port)}`;
  const silentPort = await listen(silent, 0);

  return {
    env: {
      NEXT_PUBLIC_ENABLE_IMAGE_GENERATION: "true",
      IMAGE_PROVIDER_1_KEY: FAL_KEY,
      IMAGE_PROVIDER_1_API_BASE: `${origin}/fal`,
      IMAGE_PROVIDER_2_KEY: REPLICATE_KEY,
      IMAGE_PROVIDER_2_API_BASE: `${origin}/replicate`,
      IMAGE_PROVIDER_3_KEY: OPENAI_KEY,
      IMAGE_PROVIDER_3_API_BASE: `${origin}/openai`,
    },
    controlUrl: `${origin}/control`,
    unreachable: { refusing: REFUSING, silent: `https://${HOST}:${silentPort}` },
    async stop() {
      server.closeAllConnections();
      for (const socket of held) socket.destroy();
      await Promise.all([server, silent].map((it) => new Promise((done) => it.close(done))));
    },
  };
}

function listen(server: net.Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, HOST, () => {
      const address = server.address();
      resolve(address && typeof address === "object" ? address.port : port);
    });
  });
}
