import path from "node:path";
import { startOnFreePort } from "../lib/free-port";
import { startMailSandbox } from "../sandbox/mail/mail-sandbox";
import { runPart } from "./part";

await runPart(async () => {
  const mail = await startOnFreePort(4_572, (port) =>
    startMailSandbox({
      port,
      directory: ".data/mail",
      onMail: ({ to, subject, text }, file) => {
        const link = text.match(/https?:\/\/\S+/)?.[0] ?? "no link";
        const where = file ? ` (${path.relative(".", file)})` : "";
        console.log(`Mail to ${to}: ${subject}: ${link}${where}`);
      },
    }),
  );
  return { facts: mail.env, stop: mail.stop };
});
