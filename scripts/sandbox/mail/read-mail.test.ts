import { createTransport } from "nodemailer";
import { expect, test } from "vitest";
import { readMail } from "./read-mail";

const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

test.each([
  ["plain ASCII", "Reset your password", "Open this link:\nhttps://example.com/a?b=c"],
  ["an encoded subject and body", "Restablece tu contraseña", "¿Fuiste tú? Sí, acción."],
  [
    "a subject of several encoded words",
    "请确认您的电子邮件地址以便领取欢迎积分并开始使用",
    "您好:\n请点击",
  ],
  ["a line long enough to be folded", "Link", `https://example.com/${"a".repeat(200)}?token=x=y`],
])("a mail with %s is read as it was written", async (_name, subject, body) => {
  const to = "ana@example.com";
  const { message } = await transport.sendMail({ from: "a@example.com", to, subject, text: body });
  const mail = await readMail(String(message));
  expect({ ...mail, text: mail.text.trimEnd() }).toMatchObject({ to, subject, text: body });
});
