import express, { type RequestHandler } from "express";
import { type RunningServer, serveLocally } from "../serve-locally";
import { listCaughtMails, readCaughtMail } from "./mailbox";
import { framedHtml, listPage, mailPage } from "./mailbox-pages";

/** No script runs on these pages, and the email's HTML loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'self'";

/** Serves pages that show the emails in a folder, on this machine only. */
export function startMailbox(options: { port: number; directory: string }): Promise<RunningServer> {
  const { port, directory } = options;
  return serveLocally(port, (url) => {
    const { host } = new URL(url);
    const app = express();
    // Another site must not read the emails by a name that leads to this machine.
    app.use((request, response, next) => {
      const port = host.slice(host.indexOf(":"));
      const isOurs = request.headers.host === host || request.headers.host === `localhost${port}`;
      response.set("Content-Security-Policy", POLICY);
      if (isOurs) next();
      else response.status(421).end();
    });
    app.get(
      "/",
      page(async () => listPage(await listCaughtMails(directory))),
    );
    app.get(
      "/mails/:name",
      page(async (name) => {
        const mail = await readCaughtMail(directory, name);
        return mail && mailPage(mail);
      }),
    );
    app.get(
      "/mails/:name/html",
      page(async (name) => {
        const mail = await readCaughtMail(directory, name);
        return mail && framedHtml(mail.html);
      }),
    );
    return app;
  });
}

function page(write: (name: string) => Promise<string | null>): RequestHandler {
  return (request, response, next) => {
    write(String(request.params.name ?? ""))
      .then((html) => {
        if (html === null) response.status(404).type("text").send("There is no such email.");
        else response.type("html").send(html);
      })
      .catch(next);
  };
}
