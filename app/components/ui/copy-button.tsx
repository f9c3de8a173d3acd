import type { ReactNode } from "react";
import { buttonClass } from "~/components/ui/button";
import { Icon } from "~/components/ui/icon";

interface CopyButtonProps {
  text: string;
  /** Takes the place of the button's text for a while once the text is copied. */
  copied: string;
  /** The button's name for screen readers, where the page has several. */
  label?: string;
  children: ReactNode;
}

/**
 * Copies a text. Hidden until `public/page.js`, which does the copying, shows it. That script swaps the two
 * texts, so that elements that React holds stay in place, and fills the status, which is read out.
 */
export function CopyButton({ text, copied, label, children }: CopyButtonProps) {
  return (
    <>
      <button
        type="button"
        className={buttonClass({ look: "secondary", size: "small" })}
        data-copy={text}
        aria-label={label}
        hidden
        suppressHydrationWarning
      >
        <span className="contents">{children}</span>
        <span className="contents" hidden>
          <Icon name="check" size={16} />
          {copied}
        </span>
      </button>
      <span className="sr-only" role="status" />
    </>
  );
}
