import { hash } from "@node-rs/argon2";
import { loadavg } from "node:os";
import { test } from "vitest";
import { createClient, PASSWORD, signUp } from "../../helpers/client";
import { startTestServer } from "../../helpers/test-server";
import { withTestServer } from "../../helpers/with-test-server";

const app = withTestServer({ TRUST_PROXY: "1" });
const hist = (l: (number | string)[]) => JSON.stringify(l.reduce<Record<string, number>>((o, s) => { o[s] = (o[s] ?? 0) + 1; return o; }, {}));

test("diag", async () => {
  const server = await startTestServer({ DATABASE_URL: app.databaseUrl });
  for (let i = 0; i < 2; i++) {
    const began = performance.now();
    const r = await createClient(server.url).post("/en/sign-up", { email: `in-flight${i}@example.com`, password: "correct horse battery" });
    console.log("DIAG signup", r.status, Math.round(performance.now() - began), loadavg()[0]);
  }
  await server.stop();
  const { email } = await signUp(app.url);
  const made = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 16, parallelism: 1 });
  await app.sql("UPDATE users SET password_hash = $1 WHERE email = $2", [made, email]);
  const t = performance.now();
  const answers = await Promise.all(Array.from({ length: 150 }, () => createClient(app.url).post("/en/sign-in", { email, password: PASSWORD }).then((r) => r.status, (e) => String(e.cause ?? e))));
  console.log("DIAG 150", hist(answers), Math.round(performance.now() - t), loadavg()[0]);
  const t2 = performance.now();
  const g = await Promise.all(Array.from({ length: 300 }, () => createClient(app.url).post("/en/sign-in", { email, password: "wrong password here" }).then((r) => r.status, (e) => String(e.cause ?? e))));
  console.log("DIAG 300", hist(g), Math.round(performance.now() - t2), loadavg()[0]);
  const errors = (await app.server.allLogs()).filter((l) => Number(l.level) >= 50 || l.reason === "busy" );
  console.log("DIAG errors", hist(errors.map((l) => `${l.msg} ${l.reason} ${JSON.stringify(l.err ?? "").slice(0, 300)}`)));
}, 300_000);
