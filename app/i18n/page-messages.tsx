import { useMessages } from "use-intl";
import type en from "~/i18n/locales/en.json";

/** A part of the translations: the texts of a page, of the frame, or of an area of the site. */
export type MessagePart = keyof typeof en;

/** The parts that the frame and the error page need. */
const FRAME_PARTS: MessagePart[] = ["nav", "errors"];

const ELEMENT_ID = "messages";

/**
 * Puts the texts of a page into its document, for the browser to show them again. All texts of a
 * language would be five times as much as the page's own scripts.
 */
export function PageMessages({ parts }: { parts: MessagePart[] }) {
  const all = useMessages() as Partial<typeof en>;
  const own = Object.fromEntries([...FRAME_PARTS, ...parts].map((part) => [part, all[part]]));
  // Inside a script element, only "<" could end the text.
  const json = JSON.stringify(own).replaceAll("<", "\\u003c");
  return (
    <script
      id={ELEMENT_ID}
      type="application/json"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own texts, and no "<" in them.
      dangerouslySetInnerHTML={{ __html: json }}
    />
  );
}

/** Returns the texts that the server put into the document. */
export function readPageMessages(): Partial<typeof en> {
  return JSON.parse(document.getElementById(ELEMENT_ID)?.textContent ?? "{}");
}
