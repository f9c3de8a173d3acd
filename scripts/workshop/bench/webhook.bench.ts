import { withBareApp } from "./bare-app";
import { type Bench, type Figure, inTurns } from "./bench";
import { requestsPerSecond } from "./load";
import { paidCheckout, startOurs } from "./our-server";
import { seedUsers } from "./seed-users";

const ROUNDS = 5;
const USERS = 1_000;

/**
 * Compares webhooks with a bare app whose POST writes the same rows in the same two transactions, and
 * replayed ones with a POST that reads one row by its index.
 */
export const webhookBench: Bench = {
  summary: "webhooks granting credits, and replayed ones, compared with hand-written node-postgres",
  run: ({ server, scaled, onProgress }) =>
    withBareApp(async (bareApp) => {
      const seconds = scaled(4_000, 500) / 1000;
      const make = async () => {
        const url = await server.createDatabase();
        return { url, users: await seedUsers(url, scaled(USERS, 10)) };
      };
      const [own, other] = [await make(), await make()];
      const [ours, bare] = [await startOurs(own.url), await bareApp.start(other.url)];
      const pick = (users: string[]) => users[Math.floor(Math.random() * users.length)] ?? "";
      try {
        const side = (url: string, users: string[]) => () =>
          requestsPerSecond({ url, seconds, nextPost: () => paidCheckout(ours, pick(users)) });
        onProgress("webhooks that grant credits");
        const granting = await inTurns({
          rounds: ROUNDS,
          measure: side(`${ours.url}/api/payments/webhook`, own.users),
          reference: side(`${bare.url}/webhook`, other.users),
        });
        onProgress("replayed webhooks");
        const again = paidCheckout(ours, pick(own.users));
        const replay = (url: string) => () =>
          requestsPerSecond({ url, seconds, nextPost: () => again });
        const replayed = await inTurns({
          rounds: ROUNDS,
          measure: replay(`${ours.url}/api/payments/webhook`),
          reference: replay(`${bare.url}/replay`),
        });
        const goal = { atLeast: 0.7 };
        const unit = "/s";
        return [
          { what: "webhooks that grant", against: "by hand", unit, goal, ...granting },
          { what: "replayed webhooks", against: "one indexed read", unit, goal, ...replayed },
        ] satisfies Figure[];
      } finally {
        await Promise.all([ours.stop(), bare.stop()]);
      }
    }),
};
