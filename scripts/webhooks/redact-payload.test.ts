import { expect, test } from "vitest";
import { packCheckout } from "#tests/fixtures/creem";
import { newSubscription, stripeEvent } from "#tests/fixtures/stripe";
import { redactPayload } from "./redact-payload";

test("ids, amounts, times and our metadata stay", () => {
  const event = stripeEvent("customer.subscription.updated", newSubscription());
  expect(redactPayload(event)).toEqual(event);
});

test("whom it is about goes, wherever it stands", () => {
  const { customer, ...rest } = packCheckout;
  expect(redactPayload(packCheckout)).toEqual({
    ...rest,
    customer: { ...customer, email: "[redacted]" },
  });
});

test.each([
  ["customer_email", "ann@example.com"],
  ["receiptEmail", "ann"],
  ["name", "Ann"],
  ["customer_name", "Ann"],
  ["phone", "123"],
  ["address", { line1: "1", country: "NO" }],
  ["customer_details", { tax_exempt: "none" }],
  ["payment_method_details", { card: { exp_month: 1 } }],
  ["client_secret", "cs_1_secret_2"],
  ["hosted_invoice_url", "x"],
  ["invoice_pdf", "x"],
  ["last4", "4242"],
  ["customer_portal_link", "x"],
  ["purchase_ip", "10.0.0.1"],
  ["note", "call Ann"],
  ["note", "ann@example.com"],
  ["reference", "https://example.com/secret"],
  ["reference", "x".repeat(101)],
])("%s with %j goes", (field, value) => {
  expect(redactPayload({ deep: [{ [field]: value }] })).toEqual({
    deep: [{ [field]: "[redacted]" }],
  });
});

test("a field whose own name is free text goes, too", () => {
  expect(redactPayload({ "ann@example.com": 1, status: null, email: null })).toEqual({
    "[redacted]": 1,
    status: null,
    email: null,
  });
});
