import { createContext, useContext } from "react";

/** What only the server knows of this response; empty in the browser, which hides nonces anyway. */
interface RenderContext {
  cspNonce: string;
  requestId: string;
}

export const RenderContext = createContext<RenderContext>({ cspNonce: "", requestId: "" });

export function useRenderContext(): RenderContext {
  return useContext(RenderContext);
}
