// @ts-check

/** Shows a text while it is written. Without this script the form leads to the page of the text, which waits for it. */

const form = document.querySelector("form[data-text-form]");
const output = document.querySelector("[data-text-output]");
const status = document.querySelector("[data-text-status]");
const words = document.querySelector("template[data-text-words]");

/** @param {number} at */
const word = (at) =>
  (words instanceof HTMLTemplateElement && words.content.children[at]?.textContent) || "";

/** The page of the run; once it began, only this address may be opened: sending the form again would pay again. */
let page = "";

/** @param {string} event @param {Record<string, string>} data */
function take(event, data) {
  if (event === "run") page = `?run=${data.runId}`;
  if (event === "delta" && output) output.textContent += data.text ?? "";
}

/** The key that the server makes of the form: sent as a form, the same request finds the run that began here. */
async function keyOf(/** @type {string} */ formKey, /** @type {string} */ prompt) {
  const fields = new TextEncoder().encode(JSON.stringify([prompt]));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", fields));
  const base64 = btoa(String.fromCharCode(...hash));
  const text = base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `form:${formKey}:${text}`;
}

/** @param {Response} response */
async function readStream(response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let kept = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const blocks = (kept + part.value).split("\n\n");
    kept = blocks.pop() ?? "";
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/s.exec(block) ?? [];
      if (event && data) take(event, JSON.parse(data));
    }
  }
}

/** @param {HTMLFormElement} sent */
async function write(sent) {
  // Without TLS a browser has no digest.
  if (!crypto.subtle) return sent.submit();
  const prompt = String(new FormData(sent).get("prompt") ?? "")
    .replaceAll("\r\n", "\n")
    .trim();
  try {
    const key = await keyOf(sent.dataset.textForm ?? "", prompt);
    const response = await fetch("/api/generate-text", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "text/event-stream",
        "Idempotency-Key": key,
      },
      body: JSON.stringify({ prompt }),
    });
    // The form's own way shows why, or the run that began after all.
    if (!response.ok) return sent.submit();
    if (output) output.textContent = "";
    if (status) status.textContent = word(0);
    await readStream(response);
    // The page of the run says how it ended, and what it cost.
    location.assign(page);
  } catch {
    if (status) status.textContent = word(1);
    if (page) setTimeout(() => location.assign(page), 3000);
  }
}

if (form instanceof HTMLFormElement)
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    for (const button of form.querySelectorAll("button")) button.disabled = true;
    void write(form);
  });

// Its names are its own, as in the browser.
export {};
