import { z } from "zod";
import { sum } from "./sum";

/** All that the stand-ins of images and texts made for one run. */
export interface Made {
  /** Images of each result. */
  images: readonly number[];
  /** Pieces of text, over all calls. */
  pieces: number;
  /** Tokens of prompt and text that were reported, where that can be true. */
  reports: readonly number[];
}

export const NOTHING_MADE: Made = { images: [], pieces: 0, reports: [] };

export const addMade = (one: Made, other: Made): Made => ({
  images: [...one.images, ...other.images],
  pieces: one.pieces + other.pieces,
  reports: [...one.reports, ...other.reports],
});

/** fal's, Replicate's and OpenAI's results, each under its own name. */
const pictures = z
  .union([
    z.object({ images: z.array(z.unknown()) }).transform(({ images }) => images.length),
    z.object({ output: z.array(z.unknown()) }).transform(({ output }) => output.length),
    z.object({ data: z.array(z.unknown()) }).transform(({ data }) => data.length),
  ])
  .catch(0);

const count = z.int().min(0).max(1e9);
const chunk = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().default("") }) })),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null),
});
type Chunk = z.output<typeof chunk>;

/** Reads what a stand-in wrote. Nothing was made by a response that holds neither images nor a text. */
export function readMade(replied: string): Made {
  if (!replied.startsWith("data: "))
    return { ...NOTHING_MADE, images: [pictures.parse(readJson(replied))].filter(Boolean) };
  const chunks = replied
    .split("\n\n")
    .flatMap((line) => chunk.safeParse(readJson(line.slice("data: ".length))).data ?? []);
  return {
    images: [],
    pieces: chunks.filter(hasText).length,
    reports: chunks.map(reportOf).filter(Boolean),
  };
}

const hasText = ({ choices }: Chunk) => choices.some(({ delta }) => delta.content !== "");
const reportOf = ({ usage }: Chunk) =>
  usage ? sum([usage.prompt_tokens, usage.completion_tokens]) : 0;

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
