// @ts-check

/**
 * The return page of a checkout. Where the provider signed the page's address, the server is asked
 * whether the signature is right, and `[data-return-note]` shows its text for the answer.
 */

/** @param {URLSearchParams} parameters In their original order, because the signature covers it. */
async function askWhetherSigned(parameters) {
  const response = await fetch("/api/payments/confirm", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(Object.fromEntries(parameters)),
  });
  return response.ok && (await response.json()).status === "verified";
}

const note = document.querySelector("[data-return-note]");
const parameters = new URLSearchParams(location.search);

if (note instanceof HTMLElement && parameters.has("signature")) {
  // Without an answer the note stays empty.
  askWhetherSigned(parameters).then(
    (verified) => {
      note.textContent = (verified ? note.dataset.verified : note.dataset.deferred) ?? "";
    },
    () => undefined,
  );
}
