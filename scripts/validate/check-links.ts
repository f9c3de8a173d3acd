import path from "node:path";
import type { Doc } from "./markdown";
import type { Problem } from "./problem";

interface LinkCheck {
  docs: Doc[];
  /** Whether the project has this file or folder. */
  exists: (file: string) => boolean;
}

/** Finds links to missing files and headings. Doesn't request web addresses. */
export function checkLinks({ docs, exists }: LinkCheck): Problem[] {
  const byFile = new Map(docs.map((doc) => [doc.file, doc]));
  return docs.flatMap(({ file, links }) =>
    links.flatMap(({ url, line }) => {
      if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return [];
      const fault = findFault(file, url, byFile, exists);
      return fault ? [{ file, line, text: `link to ${url}: ${fault}` }] : [];
    }),
  );
}

function findFault(
  from: string,
  url: string,
  byFile: Map<string, Doc>,
  exists: LinkCheck["exists"],
): string | null {
  const [address = "", anchor] = url.split("#", 2);
  const target = address ? resolve(from, decode(address.replace(/\?.*$/, ""))) : from;
  if (target.startsWith("../")) return "it points outside the project: link to a file inside";
  if (!exists(target)) return `there is no ${target}: correct the path or add the file`;
  const anchors = byFile.get(target)?.anchors;
  if (!anchor || !anchors || anchors.has(decode(anchor))) return null;
  return `${target} has no heading of that name: correct the part after #`;
}

/** Relative to the file's folder, or to the project's for a path that starts with a slash. */
function resolve(from: string, address: string): string {
  const folder = address.startsWith("/") ? "" : path.posix.dirname(from);
  return path.posix.join(folder, `./${address}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
