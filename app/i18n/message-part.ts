import type en from "./locales/en.json";

/** A part of the translations: the texts of a page, of the frame, or of an area of the site. */
export type MessagePart = keyof typeof en;
