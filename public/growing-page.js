// @ts-check

/** Shows the result of a run while it comes. Without this script its page refreshes itself. */

const result = document.querySelector("[data-run]");
const output = document.querySelector("[data-run-output]");

/** @param {string} event @param {Record<string, string>} data */
function take(event, data) {
  if (event === "delta" && output) output.textContent += data.text ?? "";
  // The page says how it ended, and what it cost.
  if (event === "done" || event === "error") location.reload();
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

/** @param {string} runId */
async function follow(runId) {
  try {
    const response = await fetch(`/api/runs/${runId}`, {
      headers: { Accept: "text/event-stream" },
    });
    if (output) output.textContent = "";
    if (response.ok) await readStream(response);
  } catch {
    // The server went away. The run goes on, or is refunded: the page knows.
  }
  setTimeout(() => location.reload(), 3000);
}

if (result instanceof HTMLElement && result.dataset.run) void follow(result.dataset.run);

for (const form of document.querySelectorAll("form[data-run-form]"))
  form.addEventListener("submit", () => {
    for (const button of form.querySelectorAll("button"))
      setTimeout(() => {
        button.disabled = true;
      });
  });

// Its names are its own, as in the browser.
export {};
