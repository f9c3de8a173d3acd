// @vitest-environment jsdom

import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { OTHER_LOCALE, translatorOf } from "#tests/fixtures/languages";
import { renderInPage } from "#tests/helpers/component";
import { UploadError } from "~/components/files/direct-upload";
import { UploadRows } from "~/components/files/upload-rows";
import type { OngoingUpload } from "~/components/files/use-direct-uploads";

function uploadOf(more: Partial<OngoingUpload>): OngoingUpload {
  const file = new File([new Uint8Array(2_000_000)], "cat.png", { type: "image/png" });
  return {
    id: "1",
    file,
    access: "private",
    phase: "uploading",
    progress: 0,
    error: null,
    ...more,
  };
}

function show(...uploads: OngoingUpload[]) {
  const actions = { retry: vi.fn(), chooseAnother: vi.fn(), cancel: vi.fn(), dismiss: vi.fn() };
  renderInPage(<UploadRows uploads={uploads} {...actions} />);
  return actions;
}

test("without uploads there is no list", () => {
  show();
  expect(screen.queryByRole("list")).toBeNull();
});

test("a running upload shows how much was sent, and can be stopped", async () => {
  const { cancel } = show(uploadOf({ progress: 0.25 }));
  const row = within(screen.getByRole("list", { name: "Uploads" })).getByRole("listitem");
  expect(within(row).getByRole("progressbar", { name: "Upload of cat.png" })).toHaveValue(0.25);
  expect(row).toHaveTextContent("500 kB of 2 MB");
  await userEvent.click(screen.getByRole("button", { name: "Stop uploading cat.png" }));
  expect(cancel).toHaveBeenCalledExactlyOnceWith("1");
});

test("a refused upload says why, and can be tried again or dismissed", async () => {
  const error = new UploadError("quota_exceeded", [], {
    used: 199_000_000,
    quota: 200_000_000,
    required: 2_000_000,
  });
  const upload = uploadOf({ phase: "failed", error });
  const { retry, dismiss } = show(upload);
  expect(screen.getByRole("status")).toHaveTextContent(/^Your files take .* Nothing was stored\./);
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(retry).toHaveBeenCalledExactlyOnceWith(upload);
  await userEvent.click(screen.getByRole("button", { name: "Dismiss cat.png" }));
  expect(dismiss).toHaveBeenCalledExactlyOnceWith("1");
});

test("faults of the file are said in the page's language", () => {
  const error = new UploadError("invalid_input", ["validation.contentTypeNotAllowed"]);
  const actions = { retry: vi.fn(), chooseAnother: vi.fn(), cancel: vi.fn(), dismiss: vi.fn() };
  const uploads = [uploadOf({ phase: "failed", error })];
  renderInPage(<UploadRows uploads={uploads} {...actions} />, { locale: OTHER_LOCALE });
  expect(screen.getByRole("status")).toHaveTextContent(
    translatorOf(OTHER_LOCALE)("validation.contentTypeNotAllowed"),
  );
});

test("a stopped upload says so without blame", () => {
  show(uploadOf({ phase: "cancelled" }));
  expect(screen.getByRole("status")).toHaveTextContent("You stopped this upload.");
});

test.each([
  ["invalid_input", ["validation.contentTypeNotAllowed"]],
  ["content_mismatch", []],
  ["payload_too_large", []],
])("a file that can never pass isn't offered again: %s", async (code, faults) => {
  const upload = uploadOf({ phase: "failed", error: new UploadError(code, faults) });
  const { retry, chooseAnother, dismiss } = show(upload);
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Choose another file" }));
  expect(retry).not.toHaveBeenCalled();
  expect(dismiss).toHaveBeenCalledExactlyOnceWith("1");
  expect(chooseAnother).toHaveBeenCalledOnce();
});

test("a file that is too large says its size and the limit", () => {
  const error = new UploadError("invalid_input", ["validation.fileTooLarge"]);
  const file = new File([new Uint8Array(11 * 1024 * 1024)], "big.png", { type: "image/png" });
  show(uploadOf({ phase: "failed", error, file }));
  expect(screen.getByRole("status")).toHaveTextContent("11 MB; the limit is 10 MB.");
});
