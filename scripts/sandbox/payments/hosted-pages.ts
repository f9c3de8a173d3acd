import express, { Router } from "express";
import { asyncRoute } from "./async-route";
import {
  type CheckoutPage,
  CODE_APPLIED,
  CODE_UNKNOWN,
  DECLINED,
  renderCheckout,
  renderExpired,
  renderPaid,
} from "./checkout-page";
import type { DeliveryEngine } from "./delivery-engine";
import { type PortalSubscription, renderPortal } from "./portal-page";

/** Real providers also wait for the webhook a while before they send the buyer back. */
export const RETURN_AFTER_MS = 3_000;

export interface HostedCheckout {
  page: Omit<CheckoutPage, "provider" | "notice">;
  isPaid: boolean;
  /** Whether it can't be paid any more. */
  isExpired: boolean;
  /** Applies a promotion code; false if there is no such code. */
  applyCode(code: string): boolean;
  pay(): void;
  /** Where a buyer goes after paying. */
  returnUrl(): string;
}

export interface HostedPortal {
  /** Whether customers can end a subscription at once. */
  offersNow: boolean;
  offersChanges?: boolean | undefined;
  subscriptions: PortalSubscription[];
  backUrl: string;
  cancelNow(subscriptionId: string): void;
  cancelAtPeriodEnd(subscriptionId: string): void;
  /** Takes a scheduled cancellation back. */
  keep(subscriptionId: string): void;
}

interface PortalSource<S> {
  offersNow: boolean;
  offersChanges?: boolean | undefined;
  customer: string;
  backUrl: string;
  /** Of all customers. */
  subscriptions: Record<string, S>;
  describe(subscription: S): Pick<PortalSubscription, "price" | "periodEnd" | "ending">;
  end(subscription: S): void;
  scheduleCancellation(subscription: S): void;
  keep(subscription: S): void;
}

/** One customer's portal, with only their own subscriptions. */
export function createPortal<S extends { id: string; customer: string; status: string }>(
  source: PortalSource<S>,
): HostedPortal {
  const own = Object.values(source.subscriptions).filter(
    ({ customer }) => customer === source.customer,
  );
  const on = (act: (subscription: S) => void) => (subscriptionId: string) => {
    const subscription = own.find(({ id }) => id === subscriptionId);
    if (subscription) act(subscription);
  };
  return {
    subscriptions: own.map((subscription) => {
      const { id, status } = subscription;
      return { id, status, ...source.describe(subscription) };
    }),
    offersNow: source.offersNow,
    offersChanges: source.offersChanges,
    backUrl: source.backUrl,
    cancelNow: on(source.end),
    cancelAtPeriodEnd: on(source.scheduleCancellation),
    keep: on(source.keep),
  };
}

interface HostedPagesOptions {
  provider: CheckoutPage["provider"];
  /** Express paths with an `:id`. */
  checkoutPath: string;
  portalPath: string;
  findCheckout(id: string): HostedCheckout | null;
  findPortal(id: string): HostedPortal | null;
  engine: DeliveryEngine;
}

/** Serves the provider's pages for buyers: checkout and customer portal, both as plain forms. */
export function createHostedPages(options: HostedPagesOptions): Router {
  const { provider, checkoutPath, portalPath, findCheckout, findPortal, engine } = options;
  const pages = Router();
  pages.use(express.urlencoded({ extended: false }));
  const expired = ({ page }: HostedCheckout) => renderExpired(provider, page.backUrl);

  pages.get(checkoutPath, ({ params }, response, next) => {
    const checkout = findCheckout(params.id ?? "");
    if (!checkout) return next();
    if (checkout.isExpired) return void response.status(410).send(expired(checkout));
    response.send(
      checkout.isPaid
        ? renderPaid(provider, checkout.returnUrl())
        : renderCheckout({ provider, ...checkout.page }),
    );
  });

  pages.post(
    checkoutPath,
    asyncRoute(async ({ params, body }, response) => {
      const checkout = findCheckout(params.id ?? "");
      if (!checkout) return void response.sendStatus(404);
      if (checkout.isExpired) return void response.status(410).send(expired(checkout));
      if (!checkout.isPaid && body.intent === "apply_code") {
        const isKnown = checkout.applyCode(String(body.code ?? ""));
        // The totals have changed.
        const { page } = findCheckout(params.id ?? "") ?? checkout;
        const notice = isKnown ? CODE_APPLIED : CODE_UNKNOWN;
        return void response
          .status(isKnown ? 200 : 400)
          .send(renderCheckout({ provider, ...page, notice }));
      }
      if (!checkout.isPaid && body.intent !== "pay") {
        const page = renderCheckout({ provider, ...checkout.page, notice: DECLINED });
        return void response.status(402).send(page);
      }
      if (!checkout.isPaid) {
        checkout.pay();
        await engine.idle(RETURN_AFTER_MS);
      }
      response.redirect(303, checkout.returnUrl());
    }),
  );

  pages.get(portalPath, ({ params }, response, next) => {
    const portal = findPortal(params.id ?? "");
    if (!portal) return next();
    response.send(renderPortal({ provider, ...portal }));
  });

  pages.post(
    portalPath,
    asyncRoute(async ({ params, body, originalUrl }, response) => {
      const portal = findPortal(params.id ?? "");
      const subscription = portal?.subscriptions.find(({ id }) => id === body.subscription);
      if (!portal || !subscription) return void response.sendStatus(404);
      if (subscription.status !== "canceled") {
        if (body.intent === "cancel_now" && portal.offersNow) portal.cancelNow(subscription.id);
        if (body.intent === "cancel_at_period_end") portal.cancelAtPeriodEnd(subscription.id);
        if (body.intent === "keep" && subscription.ending) portal.keep(subscription.id);
        await engine.idle(RETURN_AFTER_MS);
      }
      response.redirect(303, originalUrl);
    }),
  );

  return pages;
}
