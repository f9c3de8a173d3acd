import { expect, test } from "vitest";
import { orderNumber } from "~/utils/order-number";

test("an order's number is short, and begins as its id does", () => {
  expect(orderNumber("4f0c7a0e-6a4c-4a39-9d0e-0a5b2f1f8f9d")).toBe("4F0C-7A0E-6A4C");
});
