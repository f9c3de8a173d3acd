// @vitest-environment jsdom

import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { nameOf, PLAN } from "#tests/fixtures/sold";
import { renderInPage } from "#tests/helpers/component";
import { HoldingsBar } from "~/components/credits/holdings-bar";
import { MovementTable } from "~/components/credits/movement-table";
import type { Movement } from "~/models/accounts/movement";
import type { Holdings } from "~/models/credits/holdings";

const MOVEMENT: Movement = {
  id: "1",
  type: "grant",
  source: "order:stripe:cs_1",
  amount: 500,
  balanceAfter: 720,
  expiresAt: null,
  description: null,
  createdAt: new Date("2026-11-21T14:02:00Z"),
  run: null,
  orderId: "order-1",
  plan: null,
};

const FOX = {
  id: "fox",
  action: "image" as const,
  subject: "a red fox",
  units: 4,
  credits: 40,
  status: "settled" as const,
  picture: null,
};

function showMovements(...movements: Partial<Movement>[]) {
  const rows = movements.map((more, index) => ({ ...MOVEMENT, id: String(index), ...more }));
  renderInPage(<MovementTable movements={rows} />, { path: "/en/account/credits" });
  const table = screen.getByRole("table", { name: "Your credit history, newest first" });
  return within(table).getAllByRole("row").slice(1);
}

test("a movement shows the smallest picture there is of its image", () => {
  const picture = { url: "https://store.test/1.png", index: 0, thumbnailWidth: 320 };
  const stored = { url: null, index: 2, thumbnailWidth: null };
  const sources = showMovements(
    { type: "deduction", amount: -40, run: { ...FOX, picture } },
    { type: "deduction", amount: -40, run: { ...FOX, picture: stored } },
  ).map((row) => row.querySelector("img")?.getAttribute("src"));
  expect(sources).toEqual(["https://store.test/1-320.webp", "/api/images/fox/2"]);
});

test("a pack that was bought links to its order, with a plus", () => {
  const [row] = showMovements({});
  expect(row).toHaveTextContent("500 credits boughtNever expires");
  expect(
    within(row as HTMLElement).getByRole("link", { name: "500 credits bought" }),
  ).toHaveAttribute("href", "/en/account/orders/order-1");
  expect(within(row as HTMLElement).getByText("+500")).toBeVisible();
  expect(within(row as HTMLElement).getByText("720")).toBeVisible();
});

test("images are named by their prompt, link to their page and have a true minus", () => {
  const [row] = showMovements({ type: "deduction", amount: -40, run: FOX });
  expect(within(row as HTMLElement).getByRole("link", { name: "a red fox" })).toHaveAttribute(
    "href",
    "/en/demo/image-generator?generation=fox",
  );
  expect(row).toHaveTextContent("4 images");
  expect(within(row as HTMLElement).getByText("\u221240")).toBeVisible();
});

test("images that run or failed say so, and a refund says how many were missing", () => {
  const [running, failed, refund] = showMovements(
    { type: "deduction", amount: -40, run: { ...FOX, status: "reserved" } },
    { type: "deduction", amount: -40, run: { ...FOX, status: "refunded" } },
    { type: "refund", amount: 10, run: FOX },
  );
  expect(running).toHaveTextContent("4 images · in progress");
  expect(failed).toHaveTextContent("4 images · failed, refunded");
  expect(refund).toHaveTextContent("Refund: a red fox1 image couldn’t be made");
});

test("monthly credits name their plan and the day they end", () => {
  const [row] = showMovements({
    source: "subscription:stripe:sub_1:2026-11-05",
    amount: 300,
    expiresAt: new Date("2026-12-05T00:00:00Z"),
    plan: { planKey: PLAN.planKey, paymentId: "payment-1" },
  });
  expect(
    within(row as HTMLElement).getByRole("link", { name: `${nameOf(PLAN)}: monthly credits` }),
  ).toHaveAttribute("href", "/en/account/payments/payment-1");
  expect(row).toHaveTextContent("Usable until December 5");
});

test("expiry, reversals and adjustments explain themselves and lead nowhere else", () => {
  const rows = showMovements(
    { type: "expiry", source: "expiry:1:1", amount: -20, orderId: null },
    { type: "reversal", source: "reversal:stripe:cs_1:500", amount: -500 },
    { type: "adjustment", source: "adjustment:1", amount: 5, description: "Sorry!" },
  );
  expect(rows[0]).toHaveTextContent("Expired creditsNot used in time");
  expect(within(rows[0] as HTMLElement).queryByRole("link")).toBeNull();
  expect(rows[1]).toHaveTextContent("The payment was refunded or disputed");
  expect(rows[2]).toHaveTextContent("AdjustmentSorry!");
});

const AT = new Date("2026-12-05T00:00:00Z");

function showBar(holdings: Partial<Holdings>) {
  renderInPage(
    <HoldingsBar holdings={{ balance: 720, expiring: null, later: 0, lasting: 0, ...holdings }} />,
  );
}

const parts = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

test("the bar says what expires next, what expires later and what stays", () => {
  showBar({ expiring: { amount: 120, at: AT }, later: 80, lasting: 520 });
  expect(parts()).toEqual([
    expect.stringMatching(/^120 expire on December 5(, 2026)?\. We spend these first\.$/),
    "80 expire later.",
    "520 never expire.",
  ]);
  // The bar shows what the list says.
  expect(screen.queryByRole("img")).toBeNull();
});

test("credits that all stay are one part, and one credit is singular", () => {
  showBar({ balance: 1, lasting: 1 });
  expect(parts()).toEqual(["1 never expires."]);
});

test("without credits there is no bar", () => {
  showBar({ balance: 0 });
  expect(screen.queryByRole("list")).toBeNull();
});
