import { setImmediate } from "node:timers/promises";
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";
import {
  CSS_FUNCTIONS,
  SVG_ATTRIBUTES,
  SVG_ELEMENTS,
  SVG_TEXT_ATTRIBUTES,
} from "~/services/storage/svg-vocabulary";

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
const XML = "http://www.w3.org/XML/1998/namespace";
const XMLNS = "http://www.w3.org/2000/xmlns/";

const MAX_DEPTH = 100;
/** Characters parsed at a time: a few milliseconds' work, between which the process serves others. */
const PIECE = 4 * 1024;

/** A raster picture inside the drawing. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\sA-Za-z0-9+/=]*$/;
const OWN_PART = /^#[^\s"'()\\]+$/;
const NAME_CHARACTER = /[\w-]/;

class SvgFault extends Error {}

/**
 * Returns why a text isn't an SVG that only draws, or null if it is one. Everything in it has to be known
 * (ASVS 1.3.4): elements and attributes that draw, styles and references that stay within the drawing.
 * Scripts, event handlers, links, animations, foreign elements, other addresses, doctypes and entities are
 * not. The parser is strict, so that no browser reads another document from the same text.
 */
export async function findSvgFault(text: string): Promise<string | null> {
  const parser = drawingParser();
  try {
    for (let at = 0; at < text.length; at += PIECE) {
      parser.write(text.slice(at, at + PIECE));
      await setImmediate();
    }
    parser.close();
    return null;
  } catch (error) {
    if (error instanceof SvgFault) return error.message;
    throw error;
  }
}

/** Returns a parser that throws a SvgFault at the first thing that isn't allowed. */
function drawingParser() {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  let isRoot = true;
  let style: string | null = null;

  parser.on("error", () => refuse("it isn't well-formed XML"));
  parser.on("doctype", () => refuse("it has a DOCTYPE"));
  parser.on("processinginstruction", () => refuse("it has a processing instruction"));
  parser.on("xmldecl", ({ version, encoding }) => {
    const isUtf8 = encoding === undefined || /^(?:utf-8|us-ascii)$/i.test(encoding);
    if (version !== "1.0" || !isUtf8) refuse("it isn't XML 1.0 in UTF-8");
  });
  parser.on("opentag", (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) refuse(`its elements are nested more than ${MAX_DEPTH} deep`);
    if (isRoot && tag.local !== "svg") refuse("its first element isn't svg");
    isRoot = false;
    if (style !== null) refuse("an element stands in a style");
    if (tag.local === "style") style = "";
    checkTag(tag);
  });
  parser.on("closetag", () => {
    depth -= 1;
    if (style !== null && !isOwnStyle(style)) refuse("a style refers to something else");
    style = null;
  });
  const addText = (part: string) => {
    if (style !== null) style += part;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  return parser;
}

function refuse(reason: string): never {
  throw new SvgFault(reason);
}

function checkTag({ name, local, uri, attributes }: SaxesTagNS): void {
  // Without a namespace it is no drawing to a browser, until somebody puts it into a page.
  const isSvg = uri === SVG || uri === "";
  if (!isSvg || !SVG_ELEMENTS.has(local)) refuse(`it has the element ${cut(name)}`);
  for (const attribute of Object.values(attributes)) checkAttribute(local, attribute);
}

function checkAttribute(element: string, { name, local, uri, value }: SaxesAttributeNS): void {
  const isReference = local === "href" && (uri === "" || uri === XLINK);
  if (!isReference && isText(uri, local)) return;
  const isDrawing = uri === "" && SVG_ATTRIBUTES.has(local);
  if (!isReference && !isDrawing) refuse(`it has the attribute ${cut(name)}`);
  const isOwn = isReference ? isOwnReference(element, value.trim()) : isOwnStyle(value);
  if (!isOwn) refuse(`its attribute ${cut(name)} refers to something else`);
}

/** Whether an attribute declares a namespace, or has a text for a value. */
function isText(uri: string, local: string): boolean {
  switch (uri) {
    case "":
      return SVG_TEXT_ATTRIBUTES.has(local);
    case XLINK:
      return local === "title" || local === "type";
    case XML:
      return ["space", "lang", "id"].includes(local);
    default:
      return uri === XMLNS;
  }
}

function isOwnReference(element: string, value: string): boolean {
  return OWN_PART.test(value) || (element === "image" && PICTURE.test(value));
}

/**
 * Whether a style, or any other value, names no address but parts of the drawing. Rules with `@` and
 * escapes with a backslash are refused: the first can load a file, the second can spell any function.
 */
function isOwnStyle(value: string): boolean {
  if (/[\\@]/.test(value)) return false;
  const pieces = value.split("(");
  return pieces.every((piece, index) => {
    if (index === 0) return true;
    const name = lastWord(pieces[index - 1] ?? "").toLowerCase();
    return CSS_FUNCTIONS.has(name) && (name !== "url" || startsWithOwnPart(piece));
  });
}

/** The name before a bracket; "" for none. A regular expression for it takes quadratic time. */
function lastWord(text: string): string {
  const end = text.trimEnd().length;
  let start = end;
  while (start > 0 && NAME_CHARACTER.test(text.charAt(start - 1))) start--;
  return text.slice(start, end);
}

/** Whether what follows `url(` is `#name)`, in quotes or not. */
function startsWithOwnPart(text: string): boolean {
  const argument = text.slice(0, text.indexOf(")")).trim();
  const quote = argument.charAt(0);
  const isQuoted = (quote === '"' || quote === "'") && argument.endsWith(quote);
  return text.includes(")") && OWN_PART.test(isQuoted ? argument.slice(1, -1) : argument);
}

/** For the log: a name can be as long as the file. */
function cut(name: string): string {
  return name.slice(0, 40);
}
