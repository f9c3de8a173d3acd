import { isChallengePage, type ShownChallenge } from "~/services/bot-challenge/challenge";

/** Cloudflare's script, as far as it is used here. */
interface Turnstile {
  render(container: HTMLElement, options: Record<string, unknown>): string;
  remove(id: string): void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

/** After this many milliseconds the form is sent without the challenge, as without JavaScript. */
const SCRIPT_TIMEOUT_MS = 10_000;

/**
 * Shows the challenge in a form and returns a function that removes it. A form sent before the challenge
 * has its token waits for it. If the script cannot be loaded (a blocker, a network fault), the form is
 * sent without a token, as it would be without JavaScript.
 */
export function showChallenge(
  container: HTMLElement,
  { siteKey, scriptUrl, action }: ShownChallenge,
): () => void {
  const form = container.closest("form");
  if (!form) return () => {};
  if (isUnderAnotherPolicy()) {
    window.location.reload();
    return () => {};
  }
  let removed = false;
  let widget: string | null = null;
  let waiting = true;
  let held: { submitter: HTMLElement | null } | null = null;
  const hold = (event: SubmitEvent) => {
    if (!waiting || isValidation(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held = { submitter: event.submitter };
  };
  const release = () => {
    waiting = false;
    if (held && !removed) form.requestSubmit(held.submitter);
    held = null;
  };
  form.addEventListener("submit", hold, { capture: true });
  loadScript(scriptUrl).then((turnstile) => {
    if (removed) return;
    widget = turnstile.render(container, {
      sitekey: siteKey,
      action,
      language: document.documentElement.lang,
      callback: release,
      "error-callback": release,
    });
  }, release);
  return () => {
    removed = true;
    form.removeEventListener("submit", hold, { capture: true });
    if (widget !== null) window.turnstile?.remove(widget);
  };
}

/** Whether the form library only wants its fields checked: it presses a button of its own for that. */
function isValidation({ submitter }: SubmitEvent): boolean {
  return submitter instanceof HTMLButtonElement && submitter.formNoValidate;
}

/**
 * Whether the document was loaded as another page, whose Content-Security-Policy forbids the script: a
 * link followed by JavaScript changes the page and keeps the policy.
 */
function isUnderAnotherPolicy(): boolean {
  const [document] = performance.getEntriesByType("navigation");
  return document !== undefined && !isChallengePage(new URL(document.name).pathname);
}

let loading: Promise<Turnstile> | undefined;

/** Loads the script once per document. */
function loadScript(url: string): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    // Browsers hide the nonce from the page's HTML, not from its scripts.
    script.nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
    script.onload = () =>
      window.turnstile
        ? resolve(window.turnstile)
        : reject(new Error("no challenge in the script"));
    script.onerror = () => reject(new Error("the challenge's script was not loaded"));
    setTimeout(() => reject(new Error("the challenge's script is slow")), SCRIPT_TIMEOUT_MS);
    document.head.append(script);
  });
  return loading;
}
