import { once, setMaxListeners } from "node:events";
import { connect } from "node:net";
import { LOCALES } from "~/i18n/locale";
import { ATTACKER, atOnce, type Flood } from "./flood";
import { createVisitor, signUpFrom, type Visitor } from "./visitor";

const PAGES = ["", "/pricing", "/sign-in", "/sign-up", "/forgot-password", "/terms", "/privacy"];
const THEMES = ["light", "dark", "system"];
const MEGABYTE = 2 ** 20;

export const pageFloods: Record<string, Flood> = {
  scripts: {
    what: "200 requests at once for the largest script, compressed",
    async prepare(siteUrl) {
      const visitor = await signUpFrom(siteUrl, ATTACKER);
      const path = await largestScript(visitor);
      const headers = { "Accept-Encoding": "br" };
      return () =>
        atOnce(200, async () => {
          const response = await visitor.send(path, { headers });
          await response.arrayBuffer();
          return response.status;
        });
    },
  },
  pages: {
    what: "every public page in every language and theme, first of all visitors",
    async prepare(siteUrl) {
      const visitor = createVisitor(siteUrl, ATTACKER);
      const each = LOCALES.flatMap((locale) =>
        PAGES.flatMap((page) => THEMES.map((theme) => ({ path: `/${locale}${page}`, theme }))),
      );
      return () =>
        atOnce(each.length, async (index) => {
          const { path = "/en", theme = "light" } = each[index] ?? {};
          const response = await visitor.send(path, { headers: { Cookie: `theme=${theme}` } });
          await response.arrayBuffer();
          return response.status;
        });
    },
  },
  bodies: {
    what: "300 bodies of 1 MB without a session, left open before their end",
    async prepare(siteUrl) {
      return (signal) => {
        setMaxListeners(0, signal);
        return atOnce(300, () => holdBody(siteUrl, signal));
      };
    },
  },
};

/** Sends all but the last byte of a body, and waits until the server ends the connection. */
async function holdBody(siteUrl: string, signal: AbortSignal): Promise<number> {
  const { hostname, port, host } = new URL(siteUrl);
  const socket = connect({ host: hostname, port: Number(port), signal });
  socket.on("error", () => undefined);
  let response = "";
  socket.on("data", (chunk) => {
    response += chunk.toString("latin1");
  });
  socket.write(
    `POST /api/payments/confirm HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${ATTACKER}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${MEGABYTE}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(MEGABYTE - 1, "a"));
  await once(socket, "close");
  return Number(/^HTTP\/1.1 (\d+)/.exec(response)?.[1] ?? 0);
}

/** The path of the largest script of the files page, which loads React. */
async function largestScript(visitor: Visitor): Promise<string> {
  const page = await (await visitor.send("/en/files")).text();
  const names = [...page.matchAll(/["'(](\/[\w./-]+\.js)/g)].map(([, name = ""]) => name);
  const sizes = await Promise.all(
    names.map(async (name) => {
      const script = await visitor.send(name, { headers: { "Accept-Encoding": "identity" } });
      return { name, bytes: (await script.arrayBuffer()).byteLength };
    }),
  );
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes)[0];
  if (!largest) throw new Error("the page names no script");
  return largest.name;
}
