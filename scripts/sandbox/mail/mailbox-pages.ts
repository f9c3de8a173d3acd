import { escapeHtml } from "../payments/page";
import type { CaughtMail } from "./mailbox";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
ol { list-style: none; padding: 0; }
li { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
li a { display: block; padding: .75rem 0; text-decoration: none; color: inherit; }
li a:hover strong { text-decoration: underline; }
small, dt { opacity: .7; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 46rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }`;

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style></head><body>${body}</body></html>`;
}

/** The list of caught emails, newest first. */
export function listPage(mails: CaughtMail[]): string {
  const rows = mails.map(
    ({ name, to, subject, caughtAt }) =>
      `<li><a href="/mails/${name}"><strong>${escapeHtml(subject)}</strong><br>
<small>to ${escapeHtml(to)}, ${caughtAt.toLocaleString("en")}</small></a></li>`,
  );
  const list = rows.length > 0 ? `<ol>${rows.join("")}</ol>` : "<p>No email was caught yet.</p>";
  return page(
    "Mailbox",
    `<h1>Mailbox</h1><p>Emails that the app sent. None of them left this machine.</p>${list}`,
  );
}

/** One email: its HTML in a frame that runs no script, and its text with links to click. */
export function mailPage({ name, to, subject, text, html, unsubscribeUrl }: CaughtMail): string {
  const unsubscribe = unsubscribeUrl
    ? `<dt>List-Unsubscribe</dt><dd>${linked(escapeHtml(unsubscribeUrl))}</dd>`
    : "";
  const frame = html
    ? `<h2>HTML</h2><iframe src="/mails/${name}/html" title="The email as HTML"
sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
    : "";
  return page(
    subject,
    `<p><a href="/">All emails</a></p><h1>${escapeHtml(subject)}</h1>
<dl><dt>To</dt><dd>${escapeHtml(to)}</dd>${unsubscribe}</dl>
${frame}<h2>Text</h2><pre>${linked(escapeHtml(text))}</pre>`,
  );
}

/** Makes links of the addresses in escaped text. */
function linked(escaped: string): string {
  return escaped.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
}

/** The email's own HTML. Its links open in a new tab, since the frame around it can't leave. */
export function framedHtml(html: string): string {
  return html.replace(/<head>/i, '<head><base target="_blank">');
}
