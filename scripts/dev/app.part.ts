import express, { type Express } from "express";
import { createServer } from "vite";
import { freePort } from "../lib/free-port";
import { runPart } from "./part";

type ServerEntry = typeof import("../../app/server/http/http.server");

/** The address to listen on; by default, every address. */
const [host] = process.argv.slice(2);

await runPart(async () => {
  const vite = await createServer({
    server: {
      middlewareMode: true,
      // By default the hot reload socket would be open to the whole network.
      hmr: { port: await freePort(24_678, host), ...(host ? { host } : {}) },
    },
    appType: "custom",
    logLevel: "warn",
  });
  const loadEntry = () =>
    vite.ssrLoadModule("./app/server/http/http.server.ts") as Promise<ServerEntry>;

  // Read for each request: an edit makes a new module, and with it a new app.
  const apps = new WeakMap<ServerEntry, Express>();
  const listener = express();
  listener.use(vite.middlewares);
  listener.use(async (request, response, next) => {
    try {
      const entry = await loadEntry();
      const app = apps.get(entry) ?? entry.createApp({ staticFiles: false });
      apps.set(entry, app);
      app(request, response, next);
    } catch (error) {
      if (error instanceof Error) vite.ssrFixStacktrace(error);
      next(error);
    }
  });

  const { startServer } = await loadEntry();
  const { port } = await startServer(listener, host);
  return {
    facts: { port },
    stop: async () => {
      await vite.close();
    },
  };
});
