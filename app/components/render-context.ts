import { createContext, useContext } from "react";
import type { MessagePart } from "~/i18n/message-part";

/**
 * Values of this response that only the server has; empty in the browser, which hides nonces
 * anyway.
 */
interface RenderContext {
  cspNonce: string;
  requestId: string;
  /** Returns these parts of the translations as JSON without any "<", compiled for the browser. */
  pageMessages: (parts: MessagePart[]) => string;
}

export const RenderContext = createContext<RenderContext>({
  cspNonce: "",
  requestId: "",
  pageMessages: () => "",
});

export function useRenderContext(): RenderContext {
  return useContext(RenderContext);
}
