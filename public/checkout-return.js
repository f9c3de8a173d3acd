// @ts-check

/**
 * The return page of a checkout. Where the provider signed the page's address, the server is asked
 * whether the signature is right, and `[data-return-note]` shows its text for the response. While the
 * credits are on their way, the page looks for them for a minute and then shows itself anew.
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
  // Without a response the note stays empty.
  askWhetherSigned(parameters).then(
    (verified) => {
      note.textContent = (verified ? note.dataset.verified : note.dataset.deferred) ?? "";
    },
    () => undefined,
  );
}

const LOOKS = 20;
const LOOK_EVERY_MS = 3_000;
const WAITING = "data-checkout-waiting";

/** @param {number} looksLeft */
async function lookForCredits(looksLeft) {
  if (looksLeft === 0) {
    document.querySelector("progress")?.remove();
    return;
  }
  await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  try {
    const page = await fetch(location.href);
    if (page.ok && !(await page.text()).includes(WAITING)) {
      location.reload();
      return;
    }
  } catch {
    // The connection may be back at the next look.
  }
  await lookForCredits(looksLeft - 1);
}

if (document.querySelector(`[${WAITING}]`)) lookForCredits(LOOKS);
