import type { ReactNode } from "react";
import { Icon } from "~/components/ui/icon";

interface TicksProps {
  items: { key: string; text: ReactNode }[];
  /** `lost` lists what goes away. */
  look?: "included" | "lost";
}

/** A list of what is included, each line with a tick. */
export function Ticks({ items, look = "included" }: TicksProps) {
  return (
    <ul className={look === "lost" ? "ticks ticks-x" : "ticks"}>
      {items.map(({ key, text }) => (
        <li key={key}>
          <Icon name={look === "lost" ? "x" : "check"} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}
