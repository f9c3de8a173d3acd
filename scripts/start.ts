import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";

// `npm start`: the production server. Its code is the build's; this only loads `.env`, says what is
// wrong in plain lines, and listens.

if (existsSync(".env")) process.loadEnvFile(".env");
process.env.NODE_ENV ??= "production";

const entry = pathToFileURL("build/server/index.js");
if (!existsSync(entry)) fail("There is no build yet: run `npm run build` first.");

interface ServerEntry {
  createApp(options: { staticFiles: boolean }): import("express").Express;
  startServer(listener: import("express").Express): Promise<{ port: number }>;
}

try {
  const { createApp, startServer } = (await import(entry.href)) as ServerEntry;
  await startServer(createApp({ staticFiles: true }));
} catch (error) {
  fail(error instanceof Error && error.name === "ConfigurationError" ? error.message : error);
}

function fail(reason: unknown): never {
  console.error(reason);
  process.exit(1);
}
