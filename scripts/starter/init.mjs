// `npm run starter:init`: on a fresh clone nothing is installed yet.
import { ensureInstalled } from "../lib/ensure-installed.mjs";

await ensureInstalled();
const { register } = await import("tsx/esm/api");
register();
await import(new URL("./init.command.ts", import.meta.url).href);
