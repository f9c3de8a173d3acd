import type { HttpSample } from "./http-sample";

/** Addresses that stand for the reader's own server. */
const OWN = /^(?:http:\/\/localhost:3000|https:\/\/example\.com|\$SITE)(?=\/)/;

/** Options of curl that take the next word as a value. */
const WITH_VALUE = new Set([
  "-X",
  "-H",
  "-d",
  "--data",
  "--data-binary",
  "-b",
  "-c",
  "-o",
  "-w",
  "-F",
]);

type Command = Pick<HttpSample, "method" | "target" | "headers" | "body">;

/** Returns the request that a curl command sends to our server; null if it calls another one. */
export function readCurl(command: string): Command | null {
  const sent: Command = { method: "", target: "", headers: {}, body: null };
  const words = splitWords(command.replace(/^\$ /, "")).slice(1);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const value = WITH_VALUE.has(word) ? (words[++at] ?? "") : "";
    if (word === "-X") sent.method = value;
    else if (word === "-H") {
      const [name = "", ...rest] = value.split(":");
      sent.headers[name.trim().toLowerCase()] = rest.join(":").trim();
    } else if (/^(-d|--data|--data-binary)$/.test(word)) sent.body = value;
    else if (OWN.test(word)) sent.target = word.replace(OWN, "");
  }
  sent.method ||= sent.body === null ? "GET" : "POST";
  return sent.target ? sent : null;
}

/** Splits a command into words like a shell; `$( … )` becomes a number that only the shell knows. */
function splitWords(command: string): string[] {
  const text = command.replaceAll(/\\\n/g, " ").replaceAll(/\$\([^)]*\)/g, "1");
  const words = text.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"])+/g);
  return [...words].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"/g,
      (_, single?: string, double?: string) =>
        single ?? (double ?? "").replaceAll(/\\(["\\$`])/g, "$1"),
    ),
  );
}
