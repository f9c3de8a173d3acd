const COMMENT =
  "// biome-ignore lint/style/noRestrictedImports: this page is React in the browser, too.\n";

/** The test beside a route. */
export const OWN_TEST = "app/routes/$locale.note.dom.test.tsx";

/** Three routes as a team may have written them for Remix, and a test of one, by file. */
export const OWN_ROUTES: Record<string, string> = {
  "app/routes/$locale.report.tsx": `import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { email } = await requirePageUser(request, requireLocale(params));
  return json({ title: "Report", email, until: new Date("2026-11-30T12:00:00Z") });
}

export default function Report() {
  const { email, until } = useLoaderData<typeof loader>();
  return (
    <main id="main" className="wrap page">
      <p>{\`\${email} until \${until.slice(0, 10)}\`}</p>
    </main>
  );
}
`,
  "app/routes/$locale.forecast.tsx": `import { setTimeout } from "node:timers/promises";
import { defer, type LoaderFunctionArgs } from "@remix-run/node";
import { Await, useLoaderData } from "@remix-run/react";
import { Suspense } from "react";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { email } = await requirePageUser(request, requireLocale(params));
  return defer({ title: "Forecast", email, credits: setTimeout(100, 1_200) });
}

export default function Forecast() {
  const { email, credits } = useLoaderData<typeof loader>();
  return (
    <main id="main" className="wrap page">
      <h1>{email}</h1>
      <Suspense fallback={<p>One moment</p>}>
        <Await resolve={credits}>{(count) => <p>{\`\${count} credits next month\`}</p>}</Await>
      </Suspense>
    </main>
  );
}
`,
  "app/routes/$locale.note.tsx": `import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
${COMMENT}import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import type { PageHandle } from "~/components/page-handle";
import { requirePageUser } from "~/server/accounts/session.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";

export const handle: PageHandle = { interactive: [] };

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requirePageUser(request, requireLocale(params));
  return { title: "Note", note: new URL(request.url).searchParams.get("note") ?? "" };
}

export async function action({ request }: Pick<ActionFunctionArgs, "request">) {
  const note = String((await readForm(request, ["note"])).get("note"));
  return redirect(\`?\${new URLSearchParams({ note })}\`, 303);
}

export default function Note() {
  const { note } = useLoaderData<typeof loader>();
  const isBusy = useNavigation().state !== "idle";
  return (
    <main id="main" className="wrap page">
      <Form method="post">
        <label>
          Note <input name="note" className="input" defaultValue={note} />
        </label>
        <button type="submit" className="btn" disabled={isBusy}>
          Keep
        </button>
      </Form>
    </main>
  );
}
`,
  [OWN_TEST]: `// @vitest-environment jsdom
import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import Note, { action } from "./$locale.note";

vi.mock("@remix-run/react", () => ({
  Form: "form",
  useLoaderData: () => ({ note: "Call Ada" }),
  useNavigation: () => ({ state: "idle" }),
}));

test("the form has the note, which its action keeps", async () => {
  render(<Note />);
  expect(screen.getByRole<HTMLInputElement>("textbox").value).toBe("Call Ada");
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const sent = { method: "POST", headers, body: "note=Buy+milk" };
  const response = await action({ request: new Request("http://localhost/en/note", sent) });
  expect(response.headers.get("Location")).toBe("?note=Buy+milk");
});
`,
};

/** Edits by a person after the move, by file: each text once, and its successor. */
export const MENDED: Record<string, Record<string, string>> = {
  "app/routes/$locale.forecast.tsx": {
    "Await, defer, ": "Await, ",
    "return defer({": "return {",
    "1_200) });": "1_200) };",
  },
  [OWN_TEST]: { "() => ({": "async (actual) => ({\n  ...(await actual<object>())," },
  "app/routes/$locale.note.tsx": {
    [COMMENT]: "",
    "  Form,": `  ${COMMENT}  Form,`,
    "  useNavigation,": `  ${COMMENT}  useNavigation,`,
  },
  "app/routes/$locale.report.tsx": { "until.slice": "until.toISOString().slice" },
};
