import { createContext, useContext } from "react";

/**
 * Values of this response that only the server has; empty in the browser, which hides nonces
 * anyway.
 */
interface RenderContext {
  cspNonce: string;
  requestId: string;
}

export const RenderContext = createContext<RenderContext>({ cspNonce: "", requestId: "" });

export function useRenderContext(): RenderContext {
  return useContext(RenderContext);
}
