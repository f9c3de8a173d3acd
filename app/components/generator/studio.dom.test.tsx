// @vitest-environment jsdom

import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { credits } from "#tests/fixtures/sold";
import { renderInPage } from "#tests/helpers/component";
import { CREDITS_PER_IMAGE } from "~/catalog";
import type { CanvasGeneration } from "~/components/generator/shown-generation";
import { Studio, type StudioProps } from "~/components/generator/studio";

const KEY = "3f0f5b0e-8a55-4a0c-b7a3-6a3c6e9d2d10";

const GENERATION: CanvasGeneration = {
  id: KEY,
  prompt: "a red fox",
  n: 2,
  size: "square",
  status: "reserved",
  cost: 20,
  provider: null,
  passedOver: [],
  images: [],
  creditsCharged: 0,
  balanceAfter: null,
  error: null,
  seconds: 14,
  isAbandoned: false,
  isLatest: true,
  createdAt: "2026-11-21T14:02:09Z",
};

const imageOf = (index: number) => ({
  index,
  url: `https://files.example.com/${index}.png`,
  persisted: true,
  fileId: `file-${index}`,
  access: "public" as const,
  wantedAccess: null,
  width: 1024,
  height: 1024,
  thumbnails: [320, 640].map((width) => ({
    url: `https://files.example.com/${index}-${width}.webp`,
    width,
  })),
});

function show(shown: Partial<CanvasGeneration> | null, more: Partial<StudioProps> = {}) {
  const generation = shown && { ...GENERATION, ...shown };
  const start = generation ?? { prompt: "", n: 1, size: "square" };
  renderInPage(
    <Studio
      formKey={KEY}
      constraint={{ prompt: { required: true, maxLength: 4000 } }}
      balance={720}
      room={null}
      packs={[]}
      canBuy
      locale="en"
      start={start}
      shown={generation}
      prompts={[]}
      usualSeconds={null}
      imageAccess="public"
      deleting={null}
      {...more}
    />,
    { path: "/en/demo/image-generator" },
  );
}

const promptField = () => screen.getByRole("textbox", { name: "What do you want to see?" });

test("the form asks for words, a number and a shape, each by its name", async () => {
  show(null);
  expect(promptField()).toBeRequired();
  const counts = screen.getByRole("group", { name: "How many?" });
  expect(within(counts).getByRole("radio", { name: "1 image" })).toBeChecked();
  await userEvent.click(within(counts).getByRole("radio", { name: "3 images" }));
  await userEvent.click(screen.getByRole("radio", { name: "Portrait" }));
  await userEvent.type(promptField(), "a lake");
  const form = promptField().closest("form");
  expect(form).toHaveFormValues({ prompt: "a lake", n: "3", size: "portrait", formKey: KEY });
});

test("the form can be filled in by keyboard alone", async () => {
  show(null);
  const user = userEvent.setup();
  await user.tab();
  expect(promptField()).toHaveFocus();
  await user.keyboard("a lake");
  await user.tab();
  await user.keyboard("{ArrowRight}");
  expect(screen.getByRole("radio", { name: "2 images" })).toBeChecked();
  await user.tab();
  expect(screen.getByRole("radio", { name: "Square" })).toHaveFocus();
  await user.tab();
  expect(
    screen.getByRole("button", {
      name: new RegExp(`^Generate 1 image ${credits(CREDITS_PER_IMAGE)}`),
    }),
  ).toHaveFocus();
});

test("a faulty field says what is wrong with it, and has the focus", () => {
  show(null, {
    result: {
      status: "error",
      initialValue: { prompt: "", n: "1", size: "square" },
      error: { prompt: ["validation.promptRequired"] },
    },
  });
  expect(promptField()).toHaveAccessibleDescription("Describe what you want to see.");
  expect(promptField()).toBeInvalid();
  expect(promptField()).toHaveFocus();
});

test("while it runs there is a tile for each image and a clock, and the form waits", () => {
  show({});
  expect(screen.getByRole("heading", { name: "Generating 2 images" })).toBeVisible();
  expect(screen.getByRole("timer")).toHaveTextContent("0:14");
  expect(screen.getAllByText(/^Image \d$/)).toHaveLength(2);
  expect(screen.getByRole("button", { name: "Generating 2 images…" })).toBeDisabled();
  expect(screen.getByText("You can leave this page.")).toBeVisible();
});

test("finished images have sizes, names and actions of their own", () => {
  show(
    {
      status: "settled",
      images: [imageOf(0), imageOf(1)],
      creditsCharged: 20,
      balanceAfter: 700,
      provider: "replicate",
      passedOver: ["fal"],
    },
    { balance: 700 },
  );
  expect(screen.getByRole("heading", { name: "Your 2 images are ready" })).toBeVisible();
  const picture = screen.getByRole("img", { name: "a red fox, image 2" });
  expect(picture).toHaveAttribute("width", "1024");
  expect(picture.getAttribute("srcset")).toContain("1-320.webp 320w");
  expect(screen.getByRole("link", { name: "Delete image 2" })).toHaveAttribute(
    "href",
    `?generation=${KEY}&delete=file-1#delete-image`,
  );
  expect(screen.getByText("20 credits, 700 left")).toBeVisible();
  expect(
    screen.getByText("Made by Replicate: fal didn’t answer, and that cost you nothing"),
  ).toBeVisible();
});

test("images that didn't come are named, with their credits", () => {
  show({ status: "settled", images: [imageOf(0)], creditsCharged: 10, balanceAfter: 710 });
  const heading = "1 image made. 1 failed, and its 10 credits are back.";
  expect(screen.getByRole("heading", { name: heading })).toBeVisible();
});

test("an image that we couldn't store has no link to copy and can't be deleted", () => {
  const image = { ...imageOf(0), persisted: false, fileId: null, thumbnails: [] };
  show({ status: "settled", n: 1, cost: 10, creditsCharged: 10, images: [image] });
  expect(screen.getByText(/^We couldn’t store this one/)).toBeVisible();
  expect(screen.queryByRole("link", { name: /^Delete/ })).toBeNull();
  expect(screen.getByRole("link", { name: "Download image 1" })).toBeVisible();
});

test("a failure says that the credits are back, and offers the same again", () => {
  show({ status: "refunded", error: "generation_failed", balanceAfter: 720 });
  const canvas = screen.getByRole("region", { name: "We couldn’t generate your images" });
  expect(within(canvas).getByRole("alert")).toHaveTextContent(
    "You weren’t charged. Your 20 credits are back, and you have 720.",
  );
  const again = within(canvas).getByRole("button", { name: "Try again 20 credits" });
  expect(again.closest("form")).toHaveFormValues({ prompt: "a red fox", n: "2", formKey: KEY });
});

test("a prompt that was refused is not offered again as it is", () => {
  show({ status: "refunded", error: "prompt_rejected", balanceAfter: 720 });
  expect(screen.getByRole("heading", { name: "We can’t generate this prompt" })).toBeVisible();
  expect(screen.getByText(/^It breaks the content rules/)).toBeVisible();
  expect(screen.queryByRole("button", { name: /Try again/ })).toBeNull();
});

/** One credit less than an image costs. */
const TOO_FEW = CREDITS_PER_IMAGE - 1;

test("too few credits are said with what is missing, and the words stay", () => {
  const cost = 2 * CREDITS_PER_IMAGE;
  show(null, {
    balance: TOO_FEW,
    result: {
      status: "error",
      initialValue: { prompt: "a lake", n: "2", size: "square" },
      error: { "": ["validation.creditsInsufficient"] },
    },
  });
  expect(screen.getByRole("alert")).toHaveTextContent(
    `You need ${credits(cost - TOO_FEW).replace(" ", " more ")}You have ${TOO_FEW}, and 2 images cost ${cost}. You weren’t charged, and your prompt is still here.`,
  );
  expect(screen.getByRole("alert").parentElement).toHaveFocus();
  expect(promptField()).toHaveValue("a lake");
  const canvas = screen.getByRole("region", { name: /^You need/ });
  const buy = within(canvas).getByRole("button", { name: "Buy credits" });
  expect(buy).toHaveAttribute("form", promptField().closest("form")?.id);
});

test("any other refusal stands above the form and has the focus", () => {
  show(null, {
    result: {
      status: "error",
      initialValue: { prompt: "a lake", n: "1", size: "square" },
      error: { "": ["validation.rateLimited"] },
    },
  });
  expect(screen.getByRole("alert")).toHaveTextContent(/^Too many attempts/);
  expect(screen.getByRole("alert").parentElement).toHaveFocus();
});

test("few credits are no alarm before anything was asked for", () => {
  show(null, { balance: TOO_FEW });
  expect(screen.getByRole("heading", { name: "You need 1 more credit" })).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(document.body).toHaveFocus();
});

test("a generation whose process died isn't waited for", () => {
  show({ isAbandoned: true });
  expect(screen.getByRole("alert")).toHaveTextContent("This was interrupted");
  expect(screen.getByRole("button", { name: /^Generate/ })).toBeEnabled();
});

test("a balance of another time is not stated as the present one", () => {
  show({
    status: "settled",
    images: [imageOf(0)],
    n: 1,
    cost: 10,
    creditsCharged: 10,
    balanceAfter: 60,
  });
  expect(screen.queryByText(/ left$/)).toBeNull();
  expect(screen.getByText("10 credits", { selector: "li" })).toBeVisible();
});

test("a refund of another time says what went back, without a balance", () => {
  show({ status: "refunded", error: "generation_failed", balanceAfter: 60 });
  expect(screen.getByRole("alert")).toHaveTextContent(
    "You weren’t charged: 20 credits went back to your account.",
  );
});

test("the usual time stands beside the clock, where it is known", () => {
  show({}, { usualSeconds: 7.6 });
  expect(screen.getByRole("timer")).toHaveTextContent("usually 8 s");
});

test("earlier prompts fill the form and leave the images in place", () => {
  show(
    { status: "settled", images: [imageOf(0)] },
    { prompts: [{ generationId: "lake", prompt: "a lake at dawn" }] },
  );
  expect(screen.getByRole("link", { name: "a lake at dawn", hidden: true })).toHaveAttribute(
    "href",
    `?generation=${KEY}&reuse=lake#generator-prompt`,
  );
});
