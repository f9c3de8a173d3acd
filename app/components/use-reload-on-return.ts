import { useEffect } from "react";

/**
 * Loads the page anew when the visitor comes back to it from another site: browsers may show it as
 * it was left, with its buttons still waiting for the page that it had gone to.
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
