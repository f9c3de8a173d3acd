import { readdirSync } from "node:fs";
import path from "node:path";
import express, { type RequestHandler } from "express";
import { chooseEncoding, ENCODINGS, type Encoding } from "./encodings";

/** The build appends these to the names of compressed files. */
const EXTENSIONS: Record<Encoding, string> = { br: ".br", gzip: ".gz", identity: "" };

/**
 * Serves the files of the build, whose names are read once, as the build compressed them. `express.static`
 * alone asks the disk for a file of each page's name, which took a twelfth of a page's processor time, and
 * compresses nothing.
 */
export function builtFiles(folder: string): RequestHandler {
  const encodings = listFiles(folder);
  const serve = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders(response, file) {
      // The names of these hold a hash of what is in them.
      const isHashed = file.startsWith(path.resolve(folder, "assets") + path.sep);
      const caching = isHashed ? "public, max-age=31536000, immutable" : "public, max-age=3600";
      response.setHeader("Cache-Control", caching);
    },
  });
  return (request, response, next) => {
    const { path: name } = request;
    const available = encodings.get(name);
    if (!available || (request.method !== "GET" && request.method !== "HEAD")) return next();
    response.type(path.extname(name));
    // Express names the encoding of `text/*` alone.
    if (name.endsWith(".svg")) response.setHeader("Content-Type", "image/svg+xml; charset=utf-8");
    if (available.length === 1) return serve(request, response, next);
    response.vary("Accept-Encoding");
    const encoding = chooseEncoding(request, available);
    if (encoding === "identity") return serve(request, response, next);
    const { url } = request;
    response.setHeader("Content-Encoding", encoding);
    request.url = name + EXTENSIONS[encoding];
    serve(request, response, (error) => {
      // Such as a range beyond the end: the response is no longer the file.
      request.url = url;
      response.removeHeader("Content-Encoding");
      response.removeHeader("Content-Type");
      next(error);
    });
  };
}

/** Returns the encodings of each file by its path. */
function listFiles(folder: string): Map<string, Encoding[]> {
  const names = new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
  const isCompressed = (name: string) =>
    [EXTENSIONS.br, EXTENSIONS.gzip].some(
      (extension) => name.endsWith(extension) && names.has(name.slice(0, -extension.length)),
    );
  return new Map(
    [...names]
      .filter((name) => !isCompressed(name))
      .map((name) => [
        `/${name.split(path.sep).join("/")}`,
        ENCODINGS.filter((encoding) => names.has(name + EXTENSIONS[encoding])),
      ]),
  );
}
