// @vitest-environment jsdom

import { screen, within } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import { credits } from "#tests/fixtures/sold";
import { renderInPage, runPageScript } from "#tests/helpers/component";
import { CREDITS_PER_IMAGE } from "~/catalog";
import { DoneCanvas } from "~/components/generator/done-canvas";
import { Gallery } from "~/components/generator/gallery";
import type { CanvasGeneration, ShownGeneration } from "~/components/generator/shown-generation";

beforeAll(runPageScript);

const imageOf = (index: number) => ({
  index,
  url: `https://files.example.com/${index}.png`,
  persisted: true,
  fileId: `file-${index}`,
  access: "public" as const,
  wantedAccess: null,
  width: 1024,
  height: 1024,
  thumbnails: [{ url: `https://files.example.com/${index}-320.webp`, width: 320 }],
});

const FOX: CanvasGeneration = {
  id: "fox",
  prompt: "a red fox",
  n: 2,
  size: "square",
  status: "settled",
  cost: 20,
  provider: "fal",
  passedOver: [],
  images: [imageOf(0), imageOf(1)],
  creditsCharged: 20,
  balanceAfter: 700,
  error: null,
  seconds: 9,
  isAbandoned: false,
  isLatest: false,
  createdAt: "2026-11-21T14:02:09Z",
};

function showGallery(
  generations: Partial<ShownGeneration>[],
  more: {
    page?: number;
    total?: number;
    failed?: number;
    search?: string;
    shownId?: string;
  } = {},
) {
  const all = generations.map((each) => ({ ...FOX, ...each }));
  const { page = 1, total = all.length, failed = 0, search = "", shownId = null } = more;
  renderInPage(
    <Gallery
      generations={all}
      page={page}
      perPage={8}
      total={total}
      failed={failed}
      search={search}
      withFailed={false}
      locale="en"
      shownId={shownId}
    />,
  );
  return within(screen.getByRole("region", { name: "Your images" }));
}

test("a tile leads to its generation, and is named by its prompt and its number of images", () => {
  const tile = showGallery([{}]).getByRole("link", { name: /2 images.*a red fox/ });
  expect(tile).toHaveAttribute("href", "?generation=fox");
  expect(tile).not.toHaveAttribute("aria-current");
});

test("the tile of the shown generation is marked", () => {
  const gallery = showGallery([{}, { id: "lake", prompt: "a lake" }], { shownId: "lake" });
  expect(gallery.getByRole("link", { name: /a lake/ })).toHaveAttribute("aria-current", "true");
  expect(gallery.getByRole("link", { name: /fox/ })).not.toHaveAttribute("aria-current");
});

test.each([
  ["runs", { status: "reserved" as const }, "Generating…"],
  ["failed", { status: "refunded" as const }, "Failed, not charged"],
  ["is no longer kept", { status: "settled" as const }, "No longer kept"],
])("a tile without a picture says why: it %s", (_, state, text) => {
  const gallery = showGallery([{ ...state, images: [] }]);
  expect(gallery.getByRole("link", { name: new RegExp(`^${text}`) })).toBeVisible();
  expect(gallery.queryByRole("img")).toBeNull();
});

test("without images the gallery says how to get one, and has no pages", () => {
  const gallery = showGallery([]);
  expect(gallery.getByRole("heading", { name: "No images yet" })).toBeVisible();
  expect(
    gallery.getByText(new RegExp(`One image costs ${credits(CREDITS_PER_IMAGE)}`)),
  ).toBeVisible();
  expect(gallery.queryByRole("navigation")).toBeNull();
});

test("a middle page says which images it shows, and leads to the newer and the older ones", () => {
  const gallery = showGallery([{}, { id: "lake" }], { page: 2, total: 20 });
  expect(gallery.getByText("9–10 of 20")).toBeVisible();
  const pages = within(gallery.getByRole("navigation", { name: "Pages" }));
  expect(pages.getByText("Page 2 of 3")).toBeVisible();
  expect(pages.getByRole("link", { name: "Newer" })).toHaveAttribute("href", "?page=1#gallery");
  expect(pages.getByRole("link", { name: "Older" })).toHaveAttribute("href", "?page=3#gallery");
});

test("the first page has no newer one, and only those who see it find its place", () => {
  const gallery = showGallery([{}], { total: 20 });
  expect(gallery.queryByRole("link", { name: "Newer" })).toBeNull();
  expect(gallery.getByText("Newer")).toHaveAttribute("aria-hidden", "true");
  expect(gallery.getByRole("link", { name: "Older" })).toBeVisible();
});

test("each image can be downloaded, linked to and deleted, and each action names its image", async () => {
  renderInPage(<DoneCanvas generation={FOX} balance={700} deleting={null} locale="en" />);
  expect(screen.getByRole("link", { name: "Download image 2" })).toHaveAttribute(
    "href",
    "/en/files/file-1/download?save",
  );
  expect(await screen.findByRole("button", { name: "Copy link of image 2" })).toHaveAttribute(
    "data-copy",
    "https://files.example.com/1.png",
  );
  expect(screen.getByRole("link", { name: "Delete image 1" })).toHaveAttribute(
    "href",
    "?generation=fox&delete=file-0#delete-image",
  );
});

test("the prompt of finished images can be used again", () => {
  renderInPage(<DoneCanvas generation={FOX} balance={700} deleting={null} locale="en" />);
  expect(screen.getByRole("link", { name: "Use this prompt again" })).toHaveAttribute(
    "href",
    "?generation=fox&reuse=fox#generator-prompt",
  );
});

test("the question about an image stands below it, and says what will go", () => {
  renderInPage(<DoneCanvas generation={FOX} balance={700} deleting="file-1" locale="en" />);
  const remove = screen.getByRole("button", { name: "Delete image 2" });
  expect(remove.closest("form")).toHaveAttribute(
    "action",
    "/en/files/file-1/delete?generation=fox",
  );
  expect(screen.getByText(/links to it on other pages will stop working/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Keep it" })).toHaveAttribute("href", "?generation=fox");
});

test("a private image has no link to share, and can be made public", () => {
  const images = [{ ...imageOf(0), access: "private" as const }];
  const generation = { ...FOX, images };
  renderInPage(<DoneCanvas generation={generation} balance={700} deleting={null} locale="en" />);
  expect(document.querySelectorAll("figure [data-copy]")).toHaveLength(0);
  const button = screen.getByRole("button", { name: "Make public: Image 1" });
  expect(button.closest("form")).toHaveFormValues({ access: "public" });
});

test("images that are gone leave a note and no actions", () => {
  renderInPage(
    <DoneCanvas generation={{ ...FOX, images: [] }} balance={700} deleting={null} locale="en" />,
  );
  expect(screen.queryByRole("img")).toBeNull();
  expect(screen.queryByRole("link", { name: /Download|Delete/ })).toBeNull();
  expect(screen.getAllByRole("status").length).toBeGreaterThan(1);
});

test("the prompt of the images just made is in the form already", () => {
  renderInPage(
    <DoneCanvas
      generation={{ ...FOX, isLatest: true }}
      balance={700}
      deleting={null}
      locale="en"
    />,
  );
  expect(screen.queryByRole("link", { name: "Use this prompt again" })).toBeNull();
});

test("what failed is folded away, and can be shown", () => {
  const gallery = showGallery([{}], { failed: 3, search: "fox", shownId: "fox" });
  expect(gallery.getByRole("link", { name: "Show 3 that failed" })).toHaveAttribute(
    "href",
    "?generation=fox&q=fox&failed=show#gallery",
  );
});

test("a search that finds nothing says so, and keeps its words", () => {
  const gallery = showGallery([], { search: "wolf" });
  expect(gallery.getByText("No image has “wolf” in its prompt.")).toBeVisible();
  expect(gallery.getByRole("searchbox", { name: "Search your prompts" })).toHaveValue("wolf");
  expect(gallery.getByRole("link", { name: "Show all" })).toHaveAttribute(
    "href",
    "?page=1#gallery",
  );
});
