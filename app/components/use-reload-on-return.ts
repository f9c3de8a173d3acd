import { useEffect } from "react";

/**
 * Reloads the page when the visitor comes back from another site: the browser may show it as it was
 * left, with its buttons still waiting for the next page.
 */
export function useReloadOnReturn(): void {
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) window.location.reload();
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);
}
