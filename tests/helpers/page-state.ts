import { decode } from "turbo-stream";

/** Errors found in what a page was sent, each as the class that a browser would make of it, and its message. */
export type SentErrors = [name: string, message: string][];

interface PageState {
  /** Everything decoded; null if nothing was sent. */
  value: unknown;
  /** Errors whose class Remix would look up by its name. */
  named: SentErrors;
}

/** Decodes what Remix sends to a page's script, as a document or as the page's data. */
export function readPageState(response: Response, text: string): Promise<PageState> {
  const isData = response.headers.get("Content-Type")?.includes("text/x-script");
  return decodeState(isData ? text : streamInDocument(text));
}

/** A document's script adds the stream to the page piece by piece, each as one text. */
function streamInDocument(html: string): string {
  const pieces = html.matchAll(/streamController\.enqueue\(("(?:[^"\\]|\\.)*")\)/g);
  return [...pieces].map(([, piece = ""]) => JSON.parse(piece) as string).join("");
}

export async function decodeState(stream: string): Promise<PageState> {
  const named: SentErrors = [];
  if (stream === "") return { value: null, named };
  const { value, done } = await decode(new Blob([stream]).stream(), {
    plugins: [
      (type, first, second) => {
        if (type === "SanitizedError") named.push([String(first), String(second)]);
        return { value: [type, first, second] };
      },
    ],
  });
  await done;
  return { value, named };
}

/** Lists every error of a page's state, wherever it stands. */
export function errorsOf({ value, named }: PageState): SentErrors {
  const found = [...named];
  for (const part of everyObject(value)) {
    if (part instanceof Error) found.push([part.constructor.name, part.message]);
    if (part.__type === "Error")
      found.push([String(part.__subType ?? "Error"), String(part.message)]);
  }
  return found;
}

/** Lists the targets of the redirects in a page's state. */
export function redirectsOf({ value }: PageState): string[] {
  return [...everyObject(value)].flatMap(({ redirect }) =>
    typeof redirect === "string" ? redirect : [],
  );
}

function* everyObject(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* everyObject(part);
}
