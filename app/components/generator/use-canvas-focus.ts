import { useEffect, useRef } from "react";

/** The heading of the canvas. */
const HEADING = "canvas-title";

/**
 * Moves the focus to the canvas when its stage changes and the focused control is gone or was disabled:
 * otherwise it falls back to the start of the page. Whoever has gone on elsewhere keeps their place.
 */
export function useCanvasFocus(stage: string): void {
  const before = useRef(stage);
  useEffect(() => {
    if (before.current === stage) return;
    before.current = stage;
    const { activeElement } = document;
    const isLost =
      !activeElement || activeElement === document.body || activeElement.matches(":disabled");
    if (isLost) document.getElementById(HEADING)?.focus();
  }, [stage]);
}
