import { ACTIONS } from "~/catalog";

/** The most images of one request. */
export const MAX_IMAGES = ACTIONS.image.mostUnits;

/** Characters of a prompt. */
export const MAX_PROMPT_LENGTH = 4000;

/** The shapes a request may ask for; each provider maps them to its own sizes. */
export const IMAGE_SIZES = ["square", "landscape", "portrait"] as const;

export type ImageSize = (typeof IMAGE_SIZES)[number];
