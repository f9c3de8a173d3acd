import type { ReactNode } from "react";
import { buttonClass } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";

interface CopyButtonProps {
  text: string;
  /** Takes the button's place once the text is copied. */
  copied: string;
  /** The button's name for screen readers, where the page has several. */
  label: string;
  children: ReactNode;
}

/** Copies a text. Hidden until `public/page.js`, which does the copying, shows it. */
export function CopyButton({ text, copied, label, children }: CopyButtonProps) {
  return (
    <button
      type="button"
      className={buttonClass({ look: "secondary", size: "small" })}
      data-copy={text}
      data-copied={copied}
      aria-label={label}
      hidden
      suppressHydrationWarning
    >
      <Icon name="link" size={16} />
      {children}
    </button>
  );
}
