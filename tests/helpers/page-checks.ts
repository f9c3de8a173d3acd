/** Checks that run in a page, each whole in itself: the browser gets the text of the function alone. */

/** Names the animations that run. */
export function runningAnimations(): string[] {
  return document
    .getAnimations()
    .filter(({ playState }) => playState === "running")
    .map((animation) => String((animation as CSSAnimation).animationName));
}

/** Adds up by how much the page has jumped while it loaded: the sum of its layout shifts. */
export function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
    // The browser's restored values come before the frame after the next.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
  });
}

/** Names what makes the page scroll sideways. */
export function elementsTooWide(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll("body *")].filter((element) => {
    const { right, width } = element.getBoundingClientRect();
    return right > clientWidth + 1 && width > 0;
  });
  return [
    `${scrollWidth} px`,
    ...wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 120)),
  ];
}

/**
 * Names links and controls with less than 24 by 24 px to press. A link inside a text is excepted, as WCAG
 * 2.2 does it; of a control inside its label, the label counts.
 */
export function smallTargets(): string[] {
  const isInText = (link: Element) => {
    const holder = link.parentElement;
    const others = [...(holder?.childNodes ?? [])].filter((node) => node !== link);
    return (
      getComputedStyle(link).display === "inline" &&
      others.some(
        (node) => node.nodeType === Node.TEXT_NODE && /\p{L}/u.test(node.textContent ?? ""),
      )
    );
  };
  const targets = document.querySelectorAll<HTMLElement>(
    "a[href], button, summary, select, textarea, input:not([type=hidden])",
  );
  return [...targets].flatMap((target) => {
    if (!target.checkVisibility() || (target.tagName === "A" && isInText(target))) return [];
    // Not in view before it has the focus.
    if (target.classList.contains("skip")) return [];
    const { width, height } = (target.closest("label") ?? target).getBoundingClientRect();
    if (width >= 23.99 && height >= 23.99) return [];
    return [`${Math.round(width)} x ${Math.round(height)} px: ${target.outerHTML.slice(0, 140)}`];
  });
}

/**
 * Names what can't be seen in forced colours, which drop backgrounds and shadows: a field, button or badge
 * without an edge, a bar of a chart in the page's colour, and a choice that looks like the others.
 */
export function lostInForcedColors(): string[] {
  const all = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((each) => each.checkVisibility());
  const nameOf = (element: Element) => element.outerHTML.slice(0, 120);
  const edgeless = all("main :is(.btn, .input, .badge, .notice)").filter((element) => {
    const { borderStyle, borderWidth } = getComputedStyle(element);
    return borderStyle === "none" || Number.parseFloat(borderWidth) < 1;
  });
  const page = getComputedStyle(document.body).backgroundColor;
  const unpainted = all(".chart :is(.bar, .step), .parts > rect").filter((shape) => {
    const { fill, stroke } = getComputedStyle(shape);
    return [fill, stroke].every((paint) => paint === "none" || paint === page);
  });
  const lookOf = (element: Element) => {
    const { backgroundColor, borderBottomColor } = getComputedStyle(element);
    return `${backgroundColor} ${borderBottomColor}`;
  };
  const marked = ":is([aria-current], [aria-pressed=true], :has(:checked))";
  const groups = [".chip", ".tabs a", ".segmented > *", ".tile", ".site-header-nav a"];
  const unmarked = groups.flatMap((group) => {
    const others = all(group).filter((each) => !each.matches(marked) && each.tagName !== "LEGEND");
    const [other] = others;
    if (!other) return [];
    return all(`${group}${marked}`).filter((each) => lookOf(each) === lookOf(other));
  });
  return [
    ...edgeless.map((element) => `no edge: ${nameOf(element)}`),
    ...unpainted.map((element) => `no paint: ${nameOf(element)}`),
    ...unmarked.map((element) => `no mark: ${nameOf(element)}`),
  ];
}
