// @ts-check

/** Comforts of signed-in pages. Each page works without them. */

/** A form that went nowhere, such as one that was stopped, can be sent again after this time. */
const SENDING_MS = 15_000;

/** Forms on their way, with their buttons. @type {Map<HTMLFormElement, HTMLButtonElement[]>} */
const sent = new Map();

/** @param {HTMLFormElement} form */
function release(form) {
  for (const button of sent.get(form) ?? []) button.disabled = false;
  sent.delete(form);
}

/** @param {HTMLFormElement} form */
function hold(form) {
  const buttons = [...form.querySelectorAll("button")].filter(({ disabled }) => !disabled);
  sent.set(form, buttons);
  // Only after this task: a disabled button's name and value are not sent.
  setTimeout(() => {
    if (sent.has(form)) for (const button of buttons) button.disabled = true;
  });
  setTimeout(release, SENDING_MS, form);
}

// On the window, after every other listener: a form that one of them handles is not held.
addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
  if (form.method !== "post") return;
  if (sent.has(form)) event.preventDefault();
  else hold(form);
});

// The Back button may bring the page back as it was left.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  for (const form of [...sent.keys()]) release(form);
  if (document.querySelector("[data-reload-on-return]")) location.reload();
});

/** A copy button says for this time that it has copied. */
const COPIED_MS = 3_000;

/**
 * Shows the button's second text instead of its first, and has it read out.
 * @param {Element} button @param {boolean} isCopied
 */
function showCopied(button, isCopied) {
  const [before, after] = button.children;
  before?.toggleAttribute("hidden", isCopied);
  after?.toggleAttribute("hidden", !isCopied);
  const status = button.nextElementSibling;
  if (status) status.textContent = isCopied ? (after?.textContent ?? "") : "";
}

addEventListener("click", async ({ target }) => {
  const button = target instanceof Element ? target.closest("[data-copy]") : null;
  if (!(button instanceof HTMLElement)) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy ?? "");
  } catch {
    // The browser forbids it; the text can be selected.
    return;
  }
  showCopied(button, true);
  setTimeout(showCopied, COPIED_MS, button, false);
});

/** @returns {NodeListOf<HTMLDetailsElement>} */
const openMenus = () => document.querySelectorAll(".menu[open]");

addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});

// A menu would cover what is used next.
for (const type of ["click", "focusin"])
  addEventListener(type, ({ target }) => {
    for (const menu of openMenus())
      if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });

const local = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: "medium",
  timeStyle: "short",
});

/** Shows times in the reader's time zone, with UTC in the title, and buttons that need this script. */
function improve() {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const times = document.querySelectorAll("time[data-local]");
  for (const time of times) {
    const text = local.format(new Date(time.dateTime));
    if (time.textContent === text) continue;
    time.title = `${time.textContent} UTC`;
    time.textContent = text;
  }
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll("[data-copy][hidden]");
  for (const button of buttons) button.hidden = false;
}

improve();
// Also what React shows later.
new MutationObserver(improve).observe(document.body, {
  childList: true,
  subtree: true,
  characterData: true,
});

// Its names are its own, as in the browser.
export {};

// A button that prints its page works with JavaScript only, so it is hidden without.
for (const button of document.querySelectorAll("[data-print]")) {
  button.toggleAttribute("hidden", false);
  button.addEventListener("click", () => print());
}
