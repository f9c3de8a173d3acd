import { expect, test } from "vitest";
import { supportLink } from "~/utils/support";

const EMAIL = "help@shop.example";
const URL = "https://shop.example/help";

test.each([
  [
    "an address",
    { email: EMAIL, url: null },
    "Request 1&2",
    `mailto:${EMAIL}?subject=Request%201%262`,
  ],
  ["an address without a subject", { email: EMAIL, url: null }, undefined, `mailto:${EMAIL}`],
  ["both", { email: EMAIL, url: URL }, undefined, `mailto:${EMAIL}`],
  ["a page", { email: null, url: URL }, "Request 1", URL],
  ["neither", { email: null, url: null }, "Request 1", null],
])("%s", (_, support, subject, link) => {
  expect(supportLink(support, subject)).toBe(link);
});
