/** The shapes that may be asked for; each provider maps them to what it knows. */
export const IMAGE_SIZES = ["square", "landscape", "portrait"] as const;

export type ImageSize = (typeof IMAGE_SIZES)[number];
