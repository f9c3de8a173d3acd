// @ts-check

/** The button beside a password that shows what was typed. Without this script there is none. */

/** @param {HTMLButtonElement} button @param {HTMLInputElement} input @param {boolean} isShown */
function show(button, input, isShown) {
  input.type = isShown ? "text" : "password";
  button.setAttribute("aria-pressed", String(isShown));
  const [showText, hideText] = button.children;
  showText?.toggleAttribute("hidden", isShown);
  hideText?.toggleAttribute("hidden", !isShown);
}

for (const field of document.querySelectorAll("[data-password]")) {
  const input = field.querySelector("input");
  const button = field.querySelector("button");
  if (!input || !button) continue;
  button.hidden = false;
  button.addEventListener("click", () => show(button, input, input.type === "password"));
  // Hidden again before it is sent: browsers offer texts again that were typed in the clear.
  input.form?.addEventListener("submit", () => show(button, input, false));
}

// Its names are its own, as in the browser.
export {};
