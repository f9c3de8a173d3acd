const STYLE = `
  :root { color-scheme: light dark; --ink: #18181b; --soft: #52525b; --line: #e4e4e7; --ground: #fafafa;
    --paper: #fff; --accent: #4f46e5; --on-accent: #fff; --bad: #b91c1c; --good: #15803d; }
  @media (prefers-color-scheme: dark) { :root { --ink: #fafafa; --soft: #a1a1aa; --line: #3f3f46;
    --ground: #18181b; --paper: #27272a; --accent: #818cf8; --on-accent: #18181b; --bad: #fca5a5; --good: #86efac; } }
  * { box-sizing: border-box; } body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 28rem; margin: 48px auto; padding: 0 16px; }
  section { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; padding: 24px; margin-top: 16px; }
  h1 { font-size: 24px; line-height: 1.25; margin: 0 0 8px; } h2 { font-size: 18px; margin: 0 0 8px; }
  p { margin: 0 0 12px; color: var(--soft); } .amount { font-size: 32px; color: var(--ink); font-variant-numeric: tabular-nums; } small { font-size: 16px; color: var(--soft); }
  .notice { border-left: 3px solid var(--bad); padding-left: 12px; color: var(--bad); }
  .notice.good { border-color: var(--good); color: var(--good); }
  form, .actions { display: grid; gap: 12px; margin-top: 16px; }
  button, a.button { min-height: 40px; border-radius: 8px; border: 1px solid var(--line); background: none; color: inherit;
    font: inherit; cursor: pointer; display: grid; place-items: center; text-decoration: none; }
  button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
  a { color: var(--accent); } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 0; } dt { color: var(--soft); } dd { margin: 0; }`;

export interface Notice {
  tone: "bad" | "good";
  text: string;
}

/** Renders a sandbox page; `body` is HTML, everything else is text. */
export function renderPage(page: { title: string; notice?: Notice | undefined; body: string }) {
  const notice = page.notice
    ? `<p class="notice ${page.notice.tone}" role="status">${escapeHtml(page.notice.text)}</p>`
    : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(page.title)}</h1>
<p>A stand-in on this machine. No card is asked for, and no money moves.</p>
${notice}
${page.body}
</main>
</body>
</html>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Makes a link only of http(s) URLs: other schemes from the app aren't trusted. */
export function linkTo(href: string, label: string): string {
  if (!/^https?:\/\//i.test(href)) return "";
  return `<a class="button" href="${escapeHtml(href)}">${escapeHtml(label)}</a>`;
}

export function formatDate(date: Date): string {
  return new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(date);
}
