// @vitest-environment jsdom

import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { nameOf, PLAN } from "#tests/fixtures/sold";
import { renderInPage } from "#tests/helpers/component";
import { HoldingsBar } from "~/components/credits/holdings-bar";
import { LotTable } from "~/components/credits/lot-table";
import { MovementTable } from "~/components/credits/movement-table";
import type { Movement } from "~/models/accounts/movement";
import type { Holdings } from "~/models/credits/holdings";
import type { Lot } from "~/models/credits/lot";

const MOVEMENT: Movement = {
  id: "1",
  type: "grant",
  source: "order:stripe:cs_1",
  amount: 500,
  balanceAfter: 720,
  expiresAt: null,
  description: null,
  createdAt: new Date("2026-11-21T14:02:00Z"),
  parts: [],
  run: null,
  apiKeyName: null,
  orderId: "order-1",
  plan: null,
};

const FOX = {
  id: "fox",
  action: "image" as const,
  subject: "a red fox",
  units: 4,
  unused: 0,
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

const part = (id: string, type: "deduction" | "refund", amount: number, balanceAfter: number) => ({
  id,
  type,
  amount,
  balanceAfter,
  createdAt: "2026-11-21T14:02:00.123+00:00",
});

test("a run says in plain words what came of it, and which key it was paid with", () => {
  const parts = [part("1", "deduction", -40, 680), part("2", "refund", 10, 690)];
  const [running, failed, partly] = showMovements(
    { type: "deduction", amount: -40, run: { ...FOX, status: "reserved" } },
    { type: "refund", amount: 0, run: { ...FOX, status: "refunded" } },
    { type: "refund", amount: -30, run: { ...FOX, units: 3, unused: 1 }, parts, apiKeyName: "ci" },
  );
  expect(running).toHaveTextContent("4 images · in progress");
  expect(failed).toHaveTextContent("4 images · failed, refunded");
  expect(partly).toHaveTextContent(
    "a red fox3 images · 1 image couldn’t be made, refunded · with the key ci",
  );
});

test("a run's rows open below its line, each with the balance after it", () => {
  const parts = [part("1", "deduction", -40, 680), part("2", "refund", 10, 690)];
  const [row, single] = showMovements(
    { type: "refund", amount: -30, run: { ...FOX, units: 3, unused: 1 }, parts },
    { type: "deduction", amount: -40, run: FOX, parts: parts.slice(0, 1) },
  );
  const texts = within(row as HTMLElement)
    .getAllByRole("listitem", { hidden: true })
    .map(({ textContent }) => textContent);
  expect(texts).toEqual([
    expect.stringMatching(/^Taken before it began.*\u221240Balance 680$/),
    expect.stringMatching(/^Given back.*\+10Balance 690$/),
  ]);
  expect(within(row as HTMLElement).getByRole("group")).not.toHaveAttribute("open");
  expect(within(single as HTMLElement).queryByRole("group")).toBeNull();
});

test("monthly credits name their plan and the day they end", () => {
  const [row] = showMovements({
    source: "subscription:stripe:sub_1:2026-11-05",
    amount: 300,
    expiresAt: new Date("2026-12-05T00:00:00Z"),
    orderId: null,
    plan: { planKey: PLAN.planKey, paymentId: "payment-1" },
  });
  expect(
    within(row as HTMLElement).getByRole("link", { name: `${nameOf(PLAN)}: monthly credits` }),
  ).toHaveAttribute("href", "/en/account/payments/payment-1");
  expect(row).toHaveTextContent("Usable until December 5");
});

test("expiry, reversals and adjustments say why, and lead to the payment they are about", () => {
  const month = { planKey: PLAN.planKey, paymentId: "payment-1" };
  const rows = showMovements(
    { type: "expiry", source: "expiry:1:1", amount: -20, orderId: null, plan: month },
    { type: "reversal", source: "reversal:stripe:cs_1:500", amount: -500 },
    { type: "adjustment", source: "adjustment:1", amount: 5, description: "Sorry!", orderId: null },
    { type: "adjustment", source: "adjustment:returned:stripe:pi_1:1", amount: 500 },
    { type: "reversal", source: "reversal:stripe:in_1:surplus", amount: -9, orderId: null },
  );
  expect(rows.map((row) => row.querySelector(".what")?.textContent)).toEqual([
    `Expired creditsNot used in time · from the ${nameOf(PLAN)}`,
    "Taken backThe payment was refunded or disputed · from a pack",
    "AdjustmentSorry!",
    "Given backThe refund or dispute of the payment was taken back · from a pack",
    "Taken backThe payment was for a smaller plan",
  ]);
  expect(rows.map((row) => row.querySelector("a")?.getAttribute("href"))).toEqual([
    "/en/account/payments/payment-1",
    "/en/account/orders/order-1",
    undefined,
    "/en/account/orders/order-1",
    undefined,
  ]);
});

test("a lot says where it came from, what it paid for and when it ends", () => {
  const lot: Lot = {
    id: "1",
    type: "grant",
    source: "order:stripe:cs_1",
    amount: 500,
    remaining: 420,
    expiresAt: null,
    description: null,
    createdAt: MOVEMENT.createdAt,
    order: { id: "order-1", skuKey: "any", provider: "stripe", paymentId: null },
    period: null,
    run: null,
    apiKey: null,
    expiredLotId: null,
    uses: [
      { for: "run", action: "image", credits: 60 },
      { for: "returned", action: null, credits: 20 },
    ],
  };
  renderInPage(<LotTable lots={[lot]} />, { path: "/en/account/credits" });
  const [, row] = screen.getAllByRole("row");
  expect(row).toHaveTextContent("500 credits bought");
  expect(row).toHaveTextContent("Images: 60 · Taken back with the payment: 20");
  expect(row).toHaveTextContent("420 of 500");
  expect(within(row as HTMLElement).getByRole("link")).toHaveAttribute(
    "href",
    "/en/account/orders/order-1",
  );
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
