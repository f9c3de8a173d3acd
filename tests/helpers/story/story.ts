import { CREDITS_PER_IMAGE, PACKS, type SkuKey } from "~/catalog";
import type { ImageSize } from "~/services/images/image-limits";
import { addMonths } from "~/utils/add-months";

/** Made-up movements of one customer. At the end they have credits for 72 images: 12 that expire, 60 that don't. */
export type Event = { at: Date } & (
  | { kind: "month"; credits: number; endsAt: Date }
  | { kind: "pack"; skuKey: SkuKey; credits: number; amount: number }
  | {
      kind: "images";
      prompt: string;
      picture: string;
      count: number;
      failed?: boolean;
      /** The first provider did not answer, and the second made them. */
      fellBack?: boolean;
    }
);

/** Month 0 began so many days ago; the next one begins in about two weeks. */
const DAYS_INTO_MONTH = 17;
const DAY = 24 * 60 * 60_000;

/** Returns the credits for so many images: the story's own lots, so that it can be told with any catalog. */
const creditsFor = (images: number) => images * CREDITS_PER_IMAGE;

/** Prompts by the sample picture that shows them. The fox has a second picture. */
const PROMPTS: Record<string, string> = {
  lake: "an alpine lake at dawn",
  dunes: "dunes at noon, seen from far away",
  planet: "a ringed planet over a quiet camp",
  bottle: "an amber glass bottle on a stone plinth",
  paper: "paper-cut mountains at sunset",
  lemons: "three lemons on a pale table",
  lighthouse: "a lighthouse at dusk, wide beam over a calm sea",
  city: "a neon street in the rain, one red umbrella",
  flow: "silk ribbons of light, coral and violet",
  bauhaus: "a Bauhaus poster of circles and squares",
  fox: "a fox in the snow under a pale moon",
};

/** The shape that was asked for, by the sample picture that shows it. */
const SHAPES: Record<string, ImageSize> = {
  lake: "landscape",
  dunes: "landscape",
  lighthouse: "landscape",
  bottle: "portrait",
  bauhaus: "portrait",
  city: "portrait",
};

/** Returns the shape of a sample picture. */
export const shapeOf = (picture: string): ImageSize => SHAPES[picture] ?? "square";

/** Names the sample that shows image `index` of a generation. */
export function pictureAt(picture: string, index: number): string {
  return picture === "fox" && index % 2 === 1 ? "fox2" : picture;
}

/** Day of the month, picture, images. Month 0 is the running one. */
const IMAGES: Record<number, [day: number, picture: string, count: number][]> = {
  [-3]: [
    [4, "fox", 4],
    [9, "lake", 4],
    [14, "city", 4],
    [20, "paper", 4],
    [23, "flow", 4],
    [26, "planet", 4],
    [27, "bauhaus", 4],
  ],
  [-2]: [
    [2, "lemons", 4],
    [6, "fox", 4],
    [11, "dunes", 4],
    [15, "lighthouse", 4],
    [18, "bottle", 4],
    [22, "city", 4],
    [25, "flow", 4],
    [27, "lake", 2],
  ],
  [-1]: [
    [2, "bauhaus", 4],
    [6, "planet", 3],
    [9, "paper", 3],
    [12, "fox", 4],
    [19, "lighthouse", 4],
    [22, "lemons", 4],
    [24, "city", 3],
    [26, "dunes", 3],
  ],
  0: [
    [1, "bauhaus", 2],
    [4, "flow", 3],
    [5, "city", 4],
    [7, "lighthouse", 1],
    [9, "lemons", 1],
    [11, "paper", 2],
    [13, "bottle", 1],
    [14, "fox", 2],
    [15.3, "dunes", 1],
    [16, "lake", 1],
  ],
};

/** The picture of the running month that the second provider made. */
const FELL_BACK = "fox";

/** When each month of the plan began, the running one last. */
export function monthsOf(now: Date): Date[] {
  const running = new Date(now.getTime() - DAYS_INTO_MONTH * DAY);
  return [-3, -2, -1, 0].map((month) => addMonths(running, month));
}

/** Lists the movements up to `now`, oldest first. */
export function tellStory(now: Date): Event[] {
  const months = monthsOf(now);
  const events = months.flatMap((start, index): Event[] => {
    const after = (days: number) => new Date(start.getTime() + days * DAY);
    const images = (IMAGES[index - 3] ?? []).map(
      ([day, picture, count]): Event => ({
        kind: "images",
        at: after(day),
        prompt: PROMPTS[picture] ?? picture,
        picture,
        count,
        fellBack: index === 3 && picture === FELL_BACK,
      }),
    );
    const endsAt = addMonths(start, 1);
    return [{ kind: "month", at: start, credits: creditsFor(30), endsAt }, ...images];
  });
  const [, second, , running] = months as [Date, Date, Date, Date];
  const { skuKey } = PACKS[0];
  const later = (start: Date, days: number) => new Date(start.getTime() + days * DAY);
  events.push(
    { kind: "pack", skuKey, credits: creditsFor(10), amount: 500, at: later(second, 20) },
    { kind: "pack", skuKey, credits: creditsFor(50), amount: 1900, at: later(running, 7.3) },
    {
      kind: "images",
      at: later(running, 15.1),
      prompt: PROMPTS.dunes ?? "",
      picture: "dunes",
      count: 4,
      failed: true,
    },
  );
  return events.sort((one, other) => one.at.getTime() - other.at.getTime());
}
