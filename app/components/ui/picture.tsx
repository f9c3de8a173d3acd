interface PictureProps {
  src: string;
  /** Empty where the picture only decorates. */
  alt: string;
  /** Pixels of the file; they keep the page from moving while it loads. */
  width: number;
  height: number;
  shape?: "square" | "landscape" | "portrait";
  /** Above the fold: loaded at once. */
  eager?: boolean;
  srcSet?: string;
  sizes?: string;
}

const SHAPES = { square: "pic sq", landscape: "pic ls", portrait: "pic pt" };

/** A picture in a frame of a fixed shape. */
export function Picture({
  src,
  alt,
  width,
  height,
  shape = "square",
  eager = false,
  ...rest
}: PictureProps) {
  return (
    <span className={SHAPES[shape]}>
      <img
        src={src}
        alt={alt}
        width={width}
        height={height}
        loading={eager ? "eager" : "lazy"}
        decoding="async"
        {...rest}
      />
    </span>
  );
}
