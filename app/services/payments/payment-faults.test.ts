import { expect, test } from "vitest";
import { redactProviderMessage } from "~/services/payments/payment-faults";

test.each([
  ["No such customer: 'ann@example.com'", "No such customer: '[address]'"],
  ['{"email":"ann+x@example.com","id":1}', '{"email":"[address]","id":1}'],
  ["mailto:ann@example.com, <bob@example.com>", "mailto:[address], <[address]>"],
  ["Invalid API Key provided: sk_test_123abc", "Invalid API Key provided: [key]"],
  ["nothing @ all", "nothing @ all"],
])("addresses and keys are taken out of %j", (message, expected) => {
  expect(redactProviderMessage(message)).toBe(expected);
});

test("a long message without an address takes no time", () => {
  const message = "a".repeat(1_000_000);
  const began = performance.now();
  expect(redactProviderMessage(message)).toBe(message);
  expect(performance.now() - began).toBeLessThan(2_000);
});
