// @ts-check

/**
 * Cloudflare Turnstile in a plain form. `[data-challenge]` has the site key, `data-script` the address
 * of Cloudflare's script, `data-action` the form's name there. A form sent before the challenge has its
 * token waits for it. If the script cannot be loaded (a blocker, a network fault), the form is sent
 * without a token, as it would be without JavaScript.
 */

/**
 * @typedef {{
 *   render(container: HTMLElement, options: Record<string, unknown>): string;
 *   reset(widget: string): void;
 * }} Turnstile
 */

/** After this many milliseconds the form is sent without the challenge. */
const SCRIPT_TIMEOUT_MS = 10_000;

/**
 * @param {string} url
 * @returns {Promise<Turnstile>}
 */
function loadScript(url) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    // Browsers hide the nonce from the page's HTML, not from its scripts.
    const own = document.querySelector("script[nonce]");
    script.nonce = own instanceof HTMLScriptElement ? own.nonce : "";
    script.onload = () => {
      const turnstile = /** @type {{ turnstile?: Turnstile }} */ (window).turnstile;
      if (turnstile) resolve(turnstile);
      else reject(new Error("no challenge in the script"));
    };
    script.onerror = () => reject(new Error("the challenge's script was not loaded"));
    setTimeout(() => reject(new Error("the challenge's script is slow")), SCRIPT_TIMEOUT_MS);
    document.head.append(script);
  });
}

/**
 * @param {HTMLElement} container
 * @param {HTMLFormElement} form
 */
function showChallenge(container, form) {
  let waiting = true;
  /** @type {{ submitter: HTMLElement | null } | null} */
  let held = null;
  const release = () => {
    waiting = false;
    if (held) form.requestSubmit(held.submitter);
    held = null;
  };
  form.addEventListener("submit", (event) => {
    if (!waiting) return;
    event.preventDefault();
    held = { submitter: event.submitter };
  });
  loadScript(container.dataset.script ?? "").then((turnstile) => {
    const widget = turnstile.render(container, {
      sitekey: container.dataset.challenge,
      action: container.dataset.action,
      language: document.documentElement.lang,
      callback: release,
      "error-callback": release,
    });
    // The Back button may bring the page back as it was left, with a token that is used up.
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      waiting = true;
      turnstile.reset(widget);
    });
  }, release);
}

const container = document.querySelector("[data-challenge]");
const form = container?.closest("form");
if (container instanceof HTMLElement && form) showChallenge(container, form);
