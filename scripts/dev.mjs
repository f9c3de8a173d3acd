// `npm run dev`: the whole service on a fresh clone. Installs what is missing, then hands over.
import { ensureInstalled } from "./lib/ensure-installed.mjs";

ensureInstalled();
const { register } = await import("tsx/esm/api");
register();
await import(new URL("./dev/main.ts", import.meta.url).href);
