import { expect, test } from "vitest";
import { ProviderRefusal, providerError } from "~/services/payments/payment-faults";
import { withBackOff } from "./back-off";

function callThatFails(times: number, error: unknown) {
  let calls = 0;
  const slept: number[] = [];
  const lines: string[] = [];
  const outcome = withBackOff(
    async () => {
      calls += 1;
      if (calls <= times) throw error;
      return "a response";
    },
    { warn: (line) => void lines.push(line), sleep: async (ms) => void slept.push(ms / 1000) },
  );
  return { outcome, slept, lines, calls: () => calls };
}

const refusal = (status: number) => providerError(new ProviderRefusal(status, "too many requests"));

test.each([
  ["asked too often", refusal(429)],
  ["failing", refusal(503)],
  ["out of reach", providerError(new Error("fetch failed"))],
])("a provider that is %s is given time, longer each time", async (_what, error) => {
  const { outcome, slept, lines } = callThatFails(3, error);
  expect(await outcome).toBe("a response");
  expect(slept).toEqual([1, 2, 4]);
  expect(lines).toHaveLength(3);
});

test("what it refuses for good is thrown at once", async () => {
  const { outcome, slept } = callThatFails(1, refusal(401));
  await expect(outcome).rejects.toMatchObject({ code: "provider_error" });
  expect(slept).toEqual([]);
});

test("it gives up after two minutes, with the provider's last word", async () => {
  const { outcome, slept, calls } = callThatFails(99, refusal(429));
  await expect(outcome).rejects.toMatchObject({ code: "provider_error" });
  expect(slept.reduce((sum, seconds) => sum + seconds)).toBe(120);
  expect(calls()).toBe(8);
});
