import { createContext, useContext } from "react";
import type { Features } from "~/components/frame/frame-data";
import type { MessagePart } from "~/i18n/message-part";
import type { Support } from "~/utils/support";

/**
 * Values of this response that only the server has; empty in the browser, which hides nonces
 * anyway.
 */
interface RenderContext {
  cspNonce: string;
  requestId: string;
  /** Seconds after which the request may be sent again, where it was one too many. */
  retryAfter: number | null;
  /** The configuration's share of the frame, for pages whose own data couldn't be loaded. */
  site: { features: Features; support: Support };
  /** Returns these parts of the translations as JSON without any "<", compiled for the browser. */
  pageMessages: (parts: MessagePart[]) => string;
}

export const RenderContext = createContext<RenderContext>({
  cspNonce: "",
  requestId: "",
  retryAfter: null,
  site: {
    features: { storage: false, images: false, text: false, payments: false, actions: [] },
    support: { email: null, url: null },
  },
  pageMessages: () => "",
});

export function useRenderContext(): RenderContext {
  return useContext(RenderContext);
}
