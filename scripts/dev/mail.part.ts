import path from "node:path";
import { startOnFreePort } from "../lib/free-port";
import { startMailSandbox } from "../sandbox/mail/mail-sandbox";
import { startMailbox } from "../sandbox/mail/mailbox-server";
import { runPart } from "./part";

const DIRECTORY = ".data/mail";

await runPart(async () => {
  const mail = await startOnFreePort(4_572, (port) =>
    startMailSandbox({
      port,
      directory: DIRECTORY,
      onMail: ({ to, subject, text }, file) => {
        const link = text.match(/https?:\/\/\S+/)?.[0] ?? "no link";
        const where = file ? ` (${path.relative(".", file)})` : "";
        console.log(`Mail to ${to}: ${subject}: ${link}${where}`);
      },
    }),
  );
  const mailbox = await startOnFreePort(4_576, (port) =>
    startMailbox({ port, directory: DIRECTORY }),
  );
  return {
    facts: { ...mail.env, mailboxUrl: mailbox.url },
    stop: async () => void (await Promise.all([mail.stop(), mailbox.stop()])),
  };
});
