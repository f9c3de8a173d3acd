export interface ReadMail {
  to: string;
  subject: string;
  text: string;
}

/** Reads a mail of one plain text part, as the app sends them. */
export function readMail(raw: string): ReadMail {
  const end = raw.indexOf("\r\n\r\n");
  const headers = new Map(
    raw
      .slice(0, end)
      .replace(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
  );
  return {
    to: headers.get("to") ?? "",
    subject: decodeWords(headers.get("subject") ?? ""),
    text: decodeQuoted(raw.slice(end + 4).replace(/=\r\n/g, "")).replace(/\r\n/g, "\n"),
  };
}

/** RFC 2047: `=?UTF-8?Q?…?=` and its base64 form; the space between two such words is no text. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toLowerCase() === "b"
        ? Buffer.from(word, "base64").toString()
        : decodeQuoted(word.replace(/_/g, " ")),
    );
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString();
}
