import { PACK } from "../fixtures/sold";
import { type Client, signUp } from "./client";
import { press } from "./payments";

/** Opens a checkout, and returns its hosted page. */
export async function openCheckout(person: Client, item: object): Promise<string> {
  const path = "planKey" in item ? "/api/payments/subscription/checkout" : "/api/payments/checkout";
  const { status, body } = await person.json("POST", path, item);
  if (status !== 200) throw new Error(`checkout: ${status} ${JSON.stringify(body)}`);
  return String(body.url);
}

export const pay = (page: string) => press(page, { intent: "pay" });

/** Makes an image. 402 is no fault: the credits may still be under way. */
export async function makeImage(person: Client): Promise<number> {
  const { status, body } = await person.json("POST", "/api/generate-image", { prompt: "a cat" });
  if (status !== 200 && status !== 402) throw new Error(`image: ${status} ${JSON.stringify(body)}`);
  return status;
}

/**
 * Customers who buy a pack and make two images, again and again until `stop`. Every request has to
 * succeed: `stop` throws what failed.
 */
export async function startTraffic(url: string, customers: number) {
  const people = await Promise.all(Array.from({ length: customers }, () => signUp(url)));
  let isOver = false;
  let rounds = 0;
  const lanes = people.map(async (person) => {
    while (!isOver) {
      await pay(await openCheckout(person, { skuKey: PACK.skuKey }));
      await makeImage(person);
      await makeImage(person);
      rounds += 1;
    }
  });
  // Reported by `stop`; without this a failure before it would end the process.
  const all = Promise.all(lanes);
  all.catch(() => undefined);
  return {
    people,
    /** Packs bought and used so far, by all together. */
    rounds: () => rounds,
    async stop() {
      isOver = true;
      await all;
    },
  };
}
