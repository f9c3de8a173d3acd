import sprite from "~/assets/icons.svg?url";

/** The pictures in `app/assets/icons.svg`, by their `id`. */
export const ICON_NAMES = [
  "alert",
  "arrow",
  "back",
  "cal",
  "card",
  "check",
  "clock",
  "copy",
  "doc",
  "down",
  "download",
  "ext",
  "folder",
  "globe",
  "grid",
  "image",
  "info",
  "key",
  "layers",
  "ledger",
  "link",
  "list",
  "lock",
  "mail",
  "menu",
  "moon",
  "more",
  "out",
  "plus",
  "receipt",
  "reuse",
  "screen",
  "shield",
  "spark",
  "sun",
  "tag",
  "trash",
  "undo",
  "up",
  "upload",
  "user",
  "wrench",
  "x",
] as const;

export type IconName = (typeof ICON_NAMES)[number];

interface IconProps {
  name: IconName;
  /** Pixels at the default font size. */
  size?: 16 | 20 | 24;
  className?: string;
}

/** A picture beside a text that says the same; screen readers pass over it. */
export function Icon({ name, size = 20, className = "" }: IconProps) {
  const sized = size === 20 ? "icon" : `icon icon-${size}`;
  return (
    <svg className={`${sized} ${className}`.trim()} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
