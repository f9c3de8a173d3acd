import { once } from "node:events";
import { floods } from "./floods";

// One flood in a process of its own, so that its work delays no measurement. Says `ready` after its
// preparation, begins with `go`, ends with `stop`, and then says how many of each status it got.

const [, , name = "", siteUrl = ""] = process.argv;
const flood = floods[name];
if (!flood || !process.send) throw new Error(`there is no flood '${name}'`);

const wave = await flood.prepare(siteUrl);
const next = () => once(process, "message");
process.send("ready");
await next();

const counts: Record<string, number> = {};
const end = new AbortController();
const stop = next().then(() => end.abort());
while (!end.signal.aborted)
  for (const status of await wave(end.signal)) counts[status] = (counts[status] ?? 0) + 1;
await stop;
process.send(counts);
process.disconnect();
