// @ts-check

/**
 * Passkeys in plain forms. A form with `data-passkey` names its purpose there; when it is sent, the
 * browser asks the person for a passkey, and the response goes along in the field `response`. The root
 * element says whether the browser has passkeys; styles/components/passkeys.css shows such forms by it.
 */

const OPTIONS = "/api/passkeys/options";

/** The request for a passkey that waits in the autofill of a field, if there is one. */
let autofill = new AbortController();
let waiting = false;

/** @param {string | undefined} purpose */
async function fetchOptions(purpose) {
  const response = await fetch(OPTIONS, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ purpose }),
  });
  const body = await response.json();
  if (!response.ok) throw Object.assign(new Error(body.code), { name: body.code });
  return body;
}

/**
 * @param {string | undefined} purpose
 * @param {CredentialRequestOptions} [mode]
 */
async function askForPasskey(purpose, mode = {}) {
  const options = await fetchOptions(purpose);
  const credential =
    purpose === "register"
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
          ...mode,
        });
  return JSON.stringify(credential);
}

/**
 * @param {HTMLFormElement} form
 * @param {string} reply
 */
function send(form, reply) {
  const field = form.elements.namedItem("response");
  if (field instanceof HTMLInputElement) field.value = reply;
  form.submit();
}

/**
 * @param {HTMLFormElement} form
 * @param {string} [shown]
 */
function showError(form, shown) {
  /** @type {NodeListOf<HTMLElement>} */
  const errors = form.querySelectorAll("[data-passkey-error]");
  for (const error of errors) error.hidden = error.dataset.passkeyError !== shown;
}

/** @param {HTMLFormElement} form */
async function sendWithPasskey(form) {
  showError(form);
  // A browser takes one request at a time.
  autofill.abort();
  try {
    send(form, await askForPasskey(form.dataset.passkey));
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "reauthentication_required" && form.dataset.confirm)
      location.assign(form.dataset.confirm);
    else if (name === "NotAllowedError" || name === "AbortError") showError(form, "cancelled");
    else if (name === "InvalidStateError") showError(form, "exists");
    else showError(form, "failed");
  }
}

/** Lets the browser offer passkeys where the email address is typed. */
async function offerInAutofill() {
  const form = document.querySelector("form[data-passkey=sign_in]");
  if (waiting || !(form instanceof HTMLFormElement)) return;
  if (!document.querySelector("input[autocomplete$=webauthn]")) return;
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  waiting = true;
  autofill = new AbortController();
  try {
    const mode = { mediation: /** @type {const} */ ("conditional"), signal: autofill.signal };
    send(form, await askForPasskey("sign_in", mode));
  } catch {
    // Nobody chose one, or the button was used instead.
  } finally {
    waiting = false;
  }
}

const isSupported =
  typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;
document.documentElement.dataset.passkeys = isSupported ? "supported" : "missing";

if (isSupported) {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.dataset.passkey) return;
    event.preventDefault();
    void sendWithPasskey(form);
  });
  // Again after a request that was broken off.
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLInputElement && target.autocomplete.endsWith("webauthn"))
      void offerInAutofill();
  });
  void offerInAutofill();
}
