import { mkdir, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { PRODUCT_NAME } from "~/catalog";
import { type ReadMail, readMail } from "./read-mail";

export interface MailSandbox {
  /** Values of the app's variables to send through it. */
  env: Record<"SMTP_URL" | "EMAIL_FROM", string>;
  /** The highest number of simultaneous connections so far. */
  mostConnections(): number;
  stop(): Promise<void>;
}

interface MailSandboxOptions {
  port: number;
  /** Folder for each email as an `.eml` file; by default none is written. */
  directory?: string;
  /** Called with each email and its file. */
  onMail: (mail: ReadMail, file: string | null) => void;
}

const USER = "sandbox";

/**
 * Starts a mail server on this machine that delivers nothing: it writes emails to files and reports
 * them. It refuses recipients at `refused.example`, as a real server refuses unknown ones.
 */
export async function startMailSandbox(options: MailSandboxOptions): Promise<MailSandbox> {
  const { directory, onMail } = options;
  if (directory) await mkdir(directory, { recursive: true });
  let count = 0;
  let connections = 0;
  let most = 0;
  const server = new SMTPServer({
    // It has no valid certificate and doesn't need one: email stays on this machine.
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    // The app keeps connections open for its next emails; a stop doesn't wait for them.
    closeTimeout: 200,
    onConnect: (_session, done) => {
      most = Math.max(most, ++connections);
      done();
    },
    onClose: () => {
      connections -= 1;
    },
    onAuth: ({ username, password }, _session, done) => {
      const known = username === USER && password === USER;
      done(known ? null : new Error("wrong user or password"), known ? { user: USER } : undefined);
    },
    onRcptTo: ({ address }, _session, done) => {
      const refused = address.endsWith("@refused.example");
      const error = new Error(`<${address}>: no such user`);
      done(refused ? Object.assign(error, { responseCode: 550 }) : null);
    },
    onData: (stream, _session, done) => {
      const keep = async () => {
        const raw = await text(stream);
        const file = directory ? path.join(directory, `${Date.now()}-${count++}.eml`) : null;
        if (file) await writeFile(file, raw);
        onMail(await readMail(raw), file);
      };
      keep().then(() => done(), done);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  // A client that disconnects midway isn't this server's fault.
  server.on("error", () => {});
  const { port } = server.server.address() as AddressInfo;
  return {
    env: {
      SMTP_URL: `smtp://${USER}:${USER}@127.0.0.1:${port}`,
      EMAIL_FROM: `${PRODUCT_NAME} <noreply@sandbox.invalid>`,
    },
    mostConnections: () => most,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
