import type { HttpSample } from "./http-sample";
import type { Doc } from "./markdown";
import { lineAt } from "./problem";
import { readCurl } from "./read-curl";

/** Finds requests and answers in `http` blocks, and curl commands with the answer in a comment below. */
export function findSamples({ file, codes }: Doc): HttpSample[] {
  const samples: HttpSample[] = [];
  for (const { text, language, line } of codes) {
    if (language === "http") readMessage({ file, line, text }, samples);
    else if (language === "sh" || language === "console")
      samples.push(...readShell({ file, line, text }));
  }
  return samples;
}

interface Block {
  file: string;
  line: number;
  text: string;
}

const REQUEST_LINE = /^([A-Z]+) (\/\S*)(?: HTTP\/1\.1)?$/;
const STATUS_LINE = /^HTTP\/1\.1 (\d{3})\b/;

/** An answer belongs to the request before it, in the same block or an earlier one. */
function readMessage({ file, line, text }: Block, samples: HttpSample[]): void {
  const [first = "", ...rest] = text.split("\n");
  const blank = rest.indexOf("");
  const head = blank < 0 ? rest : rest.slice(0, blank);
  const headers = Object.fromEntries(
    head.map((header) => {
      const [name = "", ...value] = header.split(":");
      return [name.trim().toLowerCase(), value.join(":").trim()];
    }),
  );
  const body = (blank < 0 ? "" : rest.slice(blank + 1).join("\n")).trim() || null;
  const request = REQUEST_LINE.exec(first);
  if (request) {
    const [, method = "", target = ""] = request;
    samples.push({ file, line, method, target, headers, body, answer: null });
  }
  const status = Number(STATUS_LINE.exec(first)?.[1]);
  const asked = samples.at(-1);
  if (!status || !asked) return;
  const answer = { line, status, contentType: headers["content-type"] ?? null, body };
  if (asked.answer === null) asked.answer = answer;
  // A second answer: another possible response to the same request.
  else samples.push({ ...asked, answer });
}

/** A line that ends in a backslash continues the command; its output is after `# →`. */
function readShell({ file, line, text }: Block): HttpSample[] {
  const samples: HttpSample[] = [];
  for (const match of text.matchAll(/^(?:\$ )?curl (?:[^\n\\]|\\[\s\S])*|^# → ([{[].*)$/gm)) {
    const at = line + lineAt(text, match.index) - 1;
    const printed = match[1];
    const last = samples.at(-1);
    if (printed !== undefined) {
      // Words about the JSON may follow it.
      const body = printed.replace(/([}\]]);.*$/, "$1");
      if (last) last.answer = { line: at, status: 200, contentType: "application/json", body };
      continue;
    }
    const command = readCurl(match[0]);
    if (command) samples.push({ file, line: at, ...command, answer: null });
  }
  return samples;
}
