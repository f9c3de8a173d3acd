import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { type ReadMail, readMail } from "./read-mail";

/** An email that was caught, with the name of its file without `.eml`. */
export interface CaughtMail extends ReadMail {
  name: string;
  caughtAt: Date;
}

/** `1790000000000-3`: the time in milliseconds, and a counter. */
const NAME = /^(\d+)-(\d+)$/;
/** Of emails in the list. Older files stay. */
const MAX_LISTED = 100;

/** Reads the newest emails in the folder, newest first. */
export async function listCaughtMails(directory: string): Promise<CaughtMail[]> {
  const files = await readdir(directory);
  const names = files.flatMap((file) => (file.endsWith(".eml") ? [file.slice(0, -4)] : []));
  const newest = names
    .filter((name) => NAME.test(name))
    .sort((a, b) => orderOf(b) - orderOf(a))
    .slice(0, MAX_LISTED);
  const mails = await Promise.all(newest.map((name) => readCaughtMail(directory, name)));
  return mails.filter((mail) => mail !== null);
}

/** Reads one email; null if there is none of this name. */
export async function readCaughtMail(directory: string, name: string): Promise<CaughtMail | null> {
  const [, at] = NAME.exec(name) ?? [];
  if (!at) return null;
  const raw = await readFile(path.join(directory, `${name}.eml`), "utf8").catch(() => null);
  return raw === null ? null : { ...(await readMail(raw)), name, caughtAt: new Date(Number(at)) };
}

function orderOf(name: string): number {
  const [, at = "0", count = "0"] = NAME.exec(name) ?? [];
  return Number(at) + Number(count) / 1e6;
}
