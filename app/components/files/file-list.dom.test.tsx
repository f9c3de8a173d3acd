// @vitest-environment jsdom
import { screen, within } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import { renderInPage, runPageScript } from "#tests/helpers/component";
import { FileList } from "~/components/files/file-list";
import type { ListedFile } from "~/components/files/listed-file";

beforeAll(runPageScript);

const CAT: ListedFile = {
  fileId: "cat",
  filename: "cat.png",
  status: "confirmed",
  access: "private",
  contentType: "image/png",
  size: 2_000_000,
  createdAt: "2026-11-21T14:02:09Z",
  publicUrl: null,
  thumbnail: "/thumbnails/cat.webp",
  prompt: null,
  isMovable: false,
  wantedAccess: null,
};

function show(...files: Partial<ListedFile>[]) {
  const all = files.map((file, index) => ({ ...CAT, fileId: `file-${index}`, ...file }));
  renderInPage(<FileList files={all} locale="en" view="grid" />);
  return screen.getAllByRole("listitem").map((item) => within(item));
}

test("a file is a link with its type and size, and says who can see it", () => {
  const [file] = show({});
  expect(file?.getByRole("link", { name: "cat.png" })).toHaveAttribute(
    "href",
    "/en/files/file-0/download",
  );
  expect(file?.getByText(/^PNG · /)).toHaveTextContent("PNG · 2 MB");
  expect(file?.getByText("Private")).toBeVisible();
});

test("each action of a file names the file", async () => {
  show({ access: "public", publicUrl: "https://files.example.com/cat.png" });
  expect(await screen.findByRole("button", { name: "Copy link of cat.png" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Download cat.png" })).toHaveAttribute(
    "href",
    "/en/files/file-0/download?save",
  );
  expect(screen.getByRole("link", { name: "Delete cat.png" })).toHaveAttribute(
    "href",
    "/en/files/file-0/delete",
  );
});

test("a private file has no link to share", () => {
  show({});
  expect(screen.queryByText("Copy link")).toBeNull();
});

test("an upload that wasn't finished can't be opened, and can be finished or deleted", () => {
  const [file] = show({ status: "pending" });
  expect(file?.queryByRole("link", { name: "cat.png" })).toBeNull();
  expect(file?.queryByRole("link", { name: /^Download/ })).toBeNull();
  const finish = file?.getByRole("button", { name: /cat\.png/ }) as HTMLButtonElement;
  expect(finish).toHaveValue("confirm");
  expect(finish.form).toHaveFormValues({ fileId: "file-0" });
  expect(file?.getByRole("link", { name: "Delete cat.png" })).toBeVisible();
});

test("a file without a picture shows its type, and pictures need no words of their own", () => {
  const [pdf, picture] = show({ contentType: "application/pdf", thumbnail: null }, {});
  expect(pdf?.getByText("PDF", { selector: "b" })).toBeVisible();
  expect(picture?.queryByRole("img")).toBeNull();
});

test("a generated picture has its prompt as caption and as its text, and can be made private", () => {
  const [file] = show({ prompt: "a cat on a wall", isMovable: true, access: "public" });
  expect(file?.getByRole("img", { name: "a cat on a wall" })).toBeVisible();
  expect(file?.getByText("a cat on a wall")).toBeVisible();
  const button = file?.getByRole("button", { name: "Make private: cat.png" });
  expect(button?.closest("form")).toHaveFormValues({ access: "private" });
});

test("an upload has no caption, and keeps its access", () => {
  const [file] = show({});
  expect(file?.queryByRole("img")).toBeNull();
  expect(file?.queryByRole("button", { name: /private|public/ })).toBeNull();
});
