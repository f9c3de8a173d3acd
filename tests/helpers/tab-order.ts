/** Parts of keyboard tests that run in a page; the browser gets the text of each function alone. */

/** Numbers the controls of forms that the Tab key should reach, in the page's order; of a group of radios, one. */
export function markControls(): number {
  const groups = new Set<string>();
  const controls = [
    ...document.querySelectorAll<HTMLInputElement>(
      "main form :is(input:not([type=hidden]), select, textarea, button)",
    ),
  ].filter((control) => {
    if (control.disabled || control.tabIndex < 0 || !control.checkVisibility()) return false;
    if (control.type !== "radio") return true;
    if (groups.has(control.name)) return false;
    groups.add(control.name);
    return true;
  });
  for (const [index, control] of controls.entries()) {
    control.dataset.control = String(index);
    if (control.type !== "radio") continue;
    const form = control.form;
    for (const radio of form?.querySelectorAll<HTMLInputElement>("input[type=radio]") ?? []) {
      if (radio.name === control.name) radio.dataset.control = String(index);
    }
  }
  return controls.length;
}

/** Describes the element with the focus. A hidden radio shows its focus on its label. */
export function describeFocus() {
  const element = document.activeElement as HTMLElement;
  const candidates = [
    element,
    element.closest("label"),
    element.nextElementSibling,
    element.parentElement,
  ].filter((candidate): candidate is HTMLElement => candidate instanceof HTMLElement);
  const isVisible = candidates.some((candidate) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
  });
  const { top, bottom, left } = (element.closest("label") ?? element).getBoundingClientRect();
  return {
    control: element.dataset.control ?? null,
    form: [...document.forms].indexOf((element as HTMLInputElement).form as HTMLFormElement),
    top: top + scrollY,
    bottom: bottom + scrollY,
    left,
    isVisible: isVisible || element === document.body,
    html: element.outerHTML.slice(0, 160),
  };
}

type Focus = ReturnType<typeof describeFocus>;

/** Tells whether a reader meets the first control before the second: above it, or on its left in the same line. */
export function isReadBefore(first: Focus, second: Focus): boolean {
  return second.top >= first.bottom - 1 || second.left > first.left;
}
