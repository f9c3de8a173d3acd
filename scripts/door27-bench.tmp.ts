import { fork } from "node:child_process";
import http from "node:http";
if (process.argv[2] === "serve") {
  const body = JSON.stringify({ data: "x".repeat(2000) });
  const server = http.createServer((q, r) => { q.resume(); q.on("end", () => { r.writeHead(200, { "Content-Type": "application/json" }); r.end(body); }); });
  server.listen(0, "127.0.0.1", () => process.send!((server.address() as any).port));
  process.on("disconnect", () => process.exit());
} else {
  const { allowAddresses } = await import("/work/wt/door27/app/services/outgoing/allowed-origins.server.ts");
  const { outgoingFetch } = await import("/work/wt/door27/app/services/outgoing/outgoing-fetch.server.ts");
  const child = fork("/work/wt/door27/scripts/door27-bench.tmp.ts", ["serve"], { execArgv: process.execArgv });
  const port = await new Promise<number>((r) => child.once("message", (m) => r(m as number)));
  const url = `http://127.0.0.1:${port}/v1/checkouts`;
  allowAddresses({ creem: [url] });
  const init = () => ({ method: "POST", headers: { "x-api-key": "k", "Content-Type": "application/json" }, body: '{"a":1}' });
  const plain = async () => { const r = await fetch(url, { ...init(), redirect: "error", signal: AbortSignal.timeout(10_000) }); JSON.parse(await r.text()); };
  const door = async () => { const r = await outgoingFetch("creem")(url, init()); JSON.parse(await r.text()); };
  const run = async (f: () => Promise<void>) => { const n = 2000; const c = process.cpuUsage(); const t = performance.now(); for (let i = 0; i < n; i++) await f(); const cpu = process.cpuUsage(c); return { wall: ((performance.now() - t) / n) * 1000, cpu: (cpu.user + cpu.system) / n }; };
  for (const f of [plain, door]) await run(f);
  const rows: Record<string, { wall: number; cpu: number }[]> = { plain: [], door: [] };
  for (let i = 0; i < 6; i++) { rows.plain!.push(await run(plain)); rows.door!.push(await run(door)); }
  const median = (a: number[]) => a.sort((x, y) => x - y)[a.length >> 1]!.toFixed(0);
  for (const [n, r] of Object.entries(rows)) console.log(n, "wall µs", median(r.map((x) => x.wall)), "cpu µs", median(r.map((x) => x.cpu)), "min wall", Math.min(...r.map((x) => x.wall)).toFixed(0), "min cpu", Math.min(...r.map((x) => x.cpu)).toFixed(0));
  child.disconnect();
}
