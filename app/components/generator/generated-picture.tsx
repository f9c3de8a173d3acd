import type { GalleryImage } from "~/models/images/gallery-image";

type Shape = "square" | "landscape" | "portrait";

const FRAMES: Record<Shape, string> = { square: "pic sq", landscape: "pic ls", portrait: "pic pt" };

/** Stands in for the size of a picture from before sizes were stored: only its ratio counts. */
const RATIOS: Record<Shape, [number, number]> = {
  square: [1024, 1024],
  landscape: [1536, 1024],
  portrait: [1024, 1536],
};

const shapeOf = (size: string): Shape =>
  size === "landscape" || size === "portrait" ? size : "square";

/** Returns the classes of a frame in the shape that was asked for. */
export const frameOf = (size: string): string => FRAMES[shapeOf(size)];

interface GeneratedPictureProps {
  image: GalleryImage;
  /** The shape that was asked for. */
  size: string;
  alt: string;
  /** The width in which it is shown, as `<img sizes>` says it. */
  sizes: string;
  eager?: boolean;
}

/** One image in the smallest stored size that fits. */
export function GeneratedPicture({ image, size, alt, sizes, eager }: GeneratedPictureProps) {
  const [width, height] = RATIOS[shapeOf(size)];
  const { url, thumbnails } = image;
  const sources = [...thumbnails, ...(image.width ? [{ url, width: image.width }] : [])];
  return (
    <img
      src={thumbnails.at(-1)?.url ?? url}
      {...(thumbnails.length > 0
        ? { srcSet: sources.map((source) => `${source.url} ${source.width}w`).join(", "), sizes }
        : {})}
      alt={alt}
      width={image.width ?? width}
      height={image.height ?? height}
      loading={eager ? "eager" : "lazy"}
      decoding="async"
    />
  );
}
