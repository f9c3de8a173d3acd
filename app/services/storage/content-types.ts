/** Content types that may be uploaded, and the extension of the object's key. */
export const EXTENSIONS = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "application/pdf": "pdf",
} as const;

/** Other extensions under which files of a type go. */
const ALIASES: Partial<Record<string, readonly string[]>> = {
  "image/jpeg": ["jpeg", "jpe", "jfif"],
};

/** Returns the name with an extension of the type; appends the type's own if it has another or none. */
export function withExtension(filename: string, contentType: ContentType): string {
  const own = EXTENSIONS[contentType];
  const known = [own, ...(ALIASES[contentType] ?? [])];
  const dot = filename.lastIndexOf(".");
  // A name that only begins with a dot has no extension.
  const extension = dot > 0 ? filename.slice(dot + 1) : "";
  return known.includes(extension.toLowerCase()) ? filename : `${filename}.${own}`;
}

export type ContentType = keyof typeof EXTENSIONS;

export const CONTENT_TYPES = Object.keys(EXTENSIONS) as ContentType[];

/** Types of which thumbnails are made. SVG is left out: to draw it is to run foreign markup. */
export const PICTURE_TYPES: ReadonlySet<ContentType> = new Set([
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
]);

export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** An SVG is read and parsed whole on the server. */
export const MAX_SVG_BYTES = 1024 * 1024;

/** Whether an SVG is longer than SVGs may be. */
export function isLongSvg(file: { contentType: string; contentLength: number }): boolean {
  return file.contentType === "image/svg+xml" && file.contentLength > MAX_SVG_BYTES;
}
