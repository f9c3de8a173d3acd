import express, { Router } from "express";
import { asyncRoute } from "../payments/async-route";
import type { DeliveryEngine } from "../payments/delivery-engine";
import { RETURN_AFTER_MS } from "../payments/hosted-pages";
import { escapeHtml, linkTo, renderPage } from "../payments/page";
import type { StripeKeptCard, StripeSetup } from "./kept-card-state";
import type { StripeCards } from "./stripe-kept-cards";
import type { StripeState } from "./stripe-state";

/** Stripe's own test cards, by the number that its documentation gives. */
const TEST_CARDS: (Pick<StripeKeptCard, "brand" | "last4" | "behavior"> & { says: string })[] = [
  { brand: "visa", last4: "4242", behavior: "good", says: "Keep a card that works" },
  {
    ...{ brand: "visa", last4: "0341", behavior: "generic_decline" },
    says: "Keep a card that will be declined",
  },
  {
    ...{ brand: "mastercard", last4: "9995", behavior: "insufficient_funds" },
    says: "Keep a card without funds",
  },
  {
    ...{ brand: "visa", last4: "3184", behavior: "authentication_required" },
    says: "Keep a card whose bank will ask for you",
  },
];

/** The hosted page on which a customer lets Stripe keep a card: a plain form. */
export function createSetupPages({
  state,
  cards,
  engine,
}: {
  state: StripeState;
  cards: StripeCards;
  engine: DeliveryEngine;
}): Router {
  const pages = Router();
  pages.use(express.urlencoded({ extended: false }));

  pages.get("/c/setup/:id", ({ params }, response, next) => {
    const setup = state.setups[params.id];
    if (!setup) return next();
    if (setup.status !== "open") return void response.status(410).send(over(setup));
    const buttons = TEST_CARDS.map(
      ({ last4, says }, at) =>
        `<button${at === 0 ? ' class="primary"' : ""} name="card" value="${last4}">${escapeHtml(says)} (${last4})</button>`,
    );
    response.send(
      renderPage({
        title: "Stripe sandbox: keep a card",
        body: `<section>
<p>For ${escapeHtml(state.customers[setup.customer]?.email ?? "a customer")}. By keeping a card you allow the site to charge it later, without you.</p>
<form method="post">${buttons.join("\n")}</form>
<div class="actions">${linkTo(setup.cancelUrl, "Go back without keeping one")}</div>
</section>`,
      }),
    );
  });

  pages.post(
    "/c/setup/:id",
    asyncRoute(async ({ params, body }, response) => {
      const setup = state.setups[params.id ?? ""];
      if (!setup) return void response.sendStatus(404);
      if (setup.status !== "open") return void response.status(410).send(over(setup));
      const card = TEST_CARDS.find(({ last4 }) => last4 === body.card);
      if (!card) return void response.sendStatus(400);
      cards.keep(setup, card);
      await engine.idle(RETURN_AFTER_MS);
      response.redirect(303, setup.successUrl);
    }),
  );
  return pages;
}

const over = ({ successUrl }: StripeSetup) =>
  renderPage({
    title: "Stripe sandbox: keep a card",
    notice: { tone: "good", text: "This page is over." },
    body: `<section class="actions">${linkTo(successUrl, "Return to the site")}</section>`,
  });
