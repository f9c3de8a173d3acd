import type { MessagePart } from "~/i18n/message-part";

/** The fields of a route's `handle`. */
export interface PageHandle {
  /**
   * The page is React in the browser, too, and needs these parts of the translations there, besides the frame's. Every
   * other page is HTML alone.
   */
  interactive?: MessagePart[];
  /**
   * The response is the same for every visitor without a session, until the server is restarted: the page cache renders
   * it once. Its loader must not read the database, the time or a request's headers.
   */
  sameForAll?: true;
  /**
   * The page that shows what became of a form whose outcome nobody knows, as a path from this one (`..`). By default this
   * one does.
   */
  outcomeAt?: string;
}
