import { escapeHtml } from "../payments/page";
import type { AuthorizeRequest } from "./authorize-request";
import type { Provider } from "./faults";
import { PEOPLE } from "./people";

const NAMES: Record<Provider, string> = { github: "GitHub", google: "Google" };

const STYLE = `
  :root { color-scheme: light dark; } * { box-sizing: border-box; }
  body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
  main { max-width: 28rem; margin: 48px auto; padding: 0 16px; }
  form, fieldset { display: grid; gap: 12px; } fieldset { border: 1px solid #8888; border-radius: 8px; padding: 16px; }
  label.field { display: grid; gap: 4px; } input[type=text], input[type=email], button { min-height: 40px; font: inherit; padding: 0 12px; }`;

/** The page on which a person chooses their account and allows the app to know it. */
export function renderConsentPage(provider: Provider, request: AuthorizeRequest): string {
  const name = NAMES[provider];
  const hidden = Object.entries(request).map(
    ([field, value]) => `<input type="hidden" name="${field}" value="${escapeHtml(value)}">`,
  );
  const people = PEOPLE.map(
    (
      { login, email, verified },
      index,
    ) => `<label><input type="radio" name="person" value="${login}"
      ${index === 0 ? "checked" : ""}> ${login}, ${escapeHtml(email)}${verified ? "" : " (not verified)"}</label>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in with ${name}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Sign in with ${name}</h1>
<p>A stand-in on this machine. No password is asked for.</p>
<form method="post">
${hidden.join("\n")}
<fieldset><legend>Who are you?</legend>
${people.join("\n")}
<label><input type="radio" name="person" value=""> Somebody else:</label>
<label class="field">Login <input type="text" name="login" value="newcomer"></label>
<label class="field">Email address <input type="email" name="email" value="newcomer@example.com"></label>
<label><input type="checkbox" name="verified" value="yes" checked> The address is verified</label>
</fieldset>
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>
</main>
</body>
</html>`;
}
