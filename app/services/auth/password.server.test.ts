import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { hashPassword, needsRehash, verifyPassword } from "~/services/auth/password.server";
import { LANES } from "~/utils/lanes.server";

test("a hash with the current settings is kept", async () => {
  expect(needsRehash(await hashPassword("a long enough password"))).toBe(false);
});

test.each([
  ["less memory", { memoryCost: 8_192, timeCost: 2, parallelism: 1 }],
  ["fewer passes", { memoryCost: 19_456, timeCost: 1, parallelism: 1 }],
  ["another variant", { memoryCost: 19_456, timeCost: 2, parallelism: 1, algorithm: 1 }],
])("a hash made with %s is replaced", async (_name, options) => {
  expect(needsRehash(await hash("a long enough password", options))).toBe(true);
});

test("a hash made with more work is never replaced by a weaker one", () => {
  expect(needsRehash("$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaA")).toBe(false);
});

test("as many hashes as the lane has room for run or wait, and the rest are refused as busy", async () => {
  const { slots, waiting } = LANES.passwords;
  const tooMany = 8;
  const results = await Promise.allSettled(
    Array.from({ length: slots + waiting + tooMany }, () =>
      verifyPassword("a long enough password", null),
    ),
  );
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(tooMany);
  expect(refused[0]).toMatchObject({ reason: { code: "busy", status: 503 } });
  // Afterwards there is room again.
  expect(await verifyPassword("a long enough password", null)).toBe(false);
});
