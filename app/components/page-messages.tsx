import { useRenderContext } from "~/components/render-context";
import type { MessagePart } from "~/i18n/message-part";

const ELEMENT_ID = "messages";

/**
 * Puts the texts of a page into its document, so that the browser can show them again. All texts of a
 * language would be five times as much as the page's own script.
 */
export function PageMessages({ parts }: { parts: MessagePart[] }) {
  const { pageMessages } = useRenderContext();
  return (
    <script
      id={ELEMENT_ID}
      type="application/json"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own texts, and no "<" in them.
      dangerouslySetInnerHTML={{ __html: pageMessages(parts) }}
    />
  );
}

/** Returns the texts that the server put into the document, compiled. */
export function readPageMessages(): Record<string, never> {
  return JSON.parse(document.getElementById(ELEMENT_ID)?.textContent ?? "{}");
}
