// @vitest-environment jsdom

import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { OTHER_LOCALE } from "#tests/fixtures/languages";
import { renderInPage } from "#tests/helpers/component";
import { DoneNotice } from "~/components/done-notice";
import { PaymentRefusal } from "~/components/payments/payment-refusal";
import { Notice } from "~/components/ui/notice";

test.each(["info", "good", "warn", "coin"] as const)(
  "a notice that is %s is read out when the reader is free",
  (tone) => {
    renderInPage(<Notice tone={tone} title="Saved." />);
    expect(screen.getByRole("status")).toHaveTextContent("Saved.");
    expect(screen.queryByRole("alert")).toBeNull();
  },
);

test("a notice of a failure interrupts", () => {
  renderInPage(<Notice tone="bad">Nothing was charged.</Notice>);
  expect(screen.getByRole("alert")).toHaveTextContent("Nothing was charged.");
});

const TEXTS = { saved: "Your profile is saved.", verified: null };

test("the notice of what was done comes from the page's own texts alone", () => {
  renderInPage(<DoneNotice done="saved" texts={TEXTS} />);
  expect(screen.getByRole("status")).toHaveTextContent("Your profile is saved.");
});

test.each([[null], ["verified"], ["constructor"], ["<b>you won</b>"]])(
  "no notice for ?done=%s",
  (done) => {
    renderInPage(<DoneNotice done={done} texts={TEXTS} />);
    expect(screen.queryByRole("status")).toBeNull();
  },
);

test("what was done before is not said beside a refusal", () => {
  renderInPage(<DoneNotice done="saved" texts={TEXTS} />, { response: {} });
  expect(screen.queryByRole("status")).toBeNull();
});

test("a refused payment says why, has the focus and leads to what helps", () => {
  renderInPage(<PaymentRefusal refusal={{ code: "email_unverified", fields: {}, figures: {} }} />, {
    locale: OTHER_LOCALE,
  });
  expect(screen.getByRole("alert").parentElement).toHaveFocus();
  expect(screen.getByRole("link")).toHaveAttribute("href", `/${OTHER_LOCALE}/account/profile`);
});

test("a payment that wasn't refused shows no message", () => {
  renderInPage(<PaymentRefusal refusal={undefined} />);
  expect(screen.queryByRole("alert")).toBeNull();
});
