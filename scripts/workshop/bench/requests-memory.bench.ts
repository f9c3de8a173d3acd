import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Bench, spreadOf } from "./bench";
import { requestsPerSecond } from "./load";
import { paidCheckout, signUp, startOurs } from "./our-server";
import { seedUsers } from "./seed-users";
import type { ServingProcess } from "./serving-process";

const FEW = 10_000;
const MANY = 100_000;
const ROUND_SECONDS = 2;

/** Compares the server's live heap after many mixed requests with that after a tenth of them. */
export const requestsMemoryBench: Bench = {
  summary: "the server's memory after 100,000 mixed requests, compared with that after 10,000",
  async run({ server, scaled, onProgress }) {
    const url = await server.createDatabase();
    const users = await seedUsers(url, 100);
    const probe = fileURLToPath(new URL("./heap-probe.main.mjs", import.meta.url));
    const ours = await startOurs(url, {
      args: ["--expose-gc", "--import", probe],
      ipc: true,
    });
    try {
      const cookie = await signUp(ours);
      const mix = mixedLoad(ours, cookie, users);
      let done = 0;
      const heapAfter = async (requests: number) => {
        for (let turn = 0; done < requests; turn += 1) done += await mix(turn);
        const bytes = await readHeap(ours);
        onProgress(`${(bytes / 2 ** 20).toFixed(1)} MB after ${Math.round(done)} requests`);
        return bytes;
      };
      const few = await heapAfter(scaled(FEW, 200));
      const many = await heapAfter(scaled(MANY, 400));
      return [
        {
          what: `live heap after ${scaled(MANY, 400)} requests`,
          against: `after ${scaled(FEW, 200)}`,
          unit: "MB",
          measured: spreadOf([many / 2 ** 20]),
          reference: spreadOf([few / 2 ** 20]),
          ratio: many / few,
          goal: { atMost: 1.1 },
        },
      ];
    } finally {
      await ours.stop();
    }
  },
};

/** Sends one kind of request after the other, for two seconds each. Returns how many were served. */
function mixedLoad({ url }: ServingProcess, cookie: string, users: string[]) {
  const paths = ["/en", "/en/pricing", "/en/account/credits", "/api/account/credits", "/healthz"];
  const nextPost = () =>
    paidCheckout({ url }, users[Math.floor(Math.random() * users.length)] ?? "");
  return async (turn: number): Promise<number> => {
    const path = paths[turn % (paths.length + 1)];
    const load = { seconds: ROUND_SECONDS, headers: { Cookie: cookie } };
    const rate = path
      ? await requestsPerSecond({ ...load, url: url + path })
      : await requestsPerSecond({ ...load, url: `${url}/api/payments/webhook`, nextPost });
    return rate * ROUND_SECONDS;
  };
}

async function readHeap(serving: ServingProcess): Promise<number> {
  const message = once(serving.process, "message");
  serving.process.send("heap");
  const [bytes] = (await message) as [number];
  return bytes;
}
