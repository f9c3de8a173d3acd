import { z } from "zod";
import type { Reply } from "../world/http";
import { NOT_NOW, problem, textEnd } from "./answers";
import { Fault } from "./fault";

const begun = z.object({ runId: z.string() });

export const isEvents = ({ headers }: Reply): boolean =>
  String(headers["content-type"]).startsWith("text/event-stream");

/** A stream's words about its run. Null as long as there are none. */
export interface ToldByStream {
  runId: string | null;
  result: z.output<typeof textEnd> | null;
  hasFailed: boolean;
}

export function readEvents({ text }: Reply): ToldByStream {
  const events = eventsIn(text);
  const [start, end, error] = ["run", "done", "error"].map((name) => events.get(name));
  const code = error ? problem.parse(JSON.parse(error)).code : null;
  const hasFailed = code === "generation_failed" || code === "prompt_rejected";
  if (code && !hasFailed && !NOT_NOW.has(code))
    throw new Fault(`a stream ends with the error ${code}`);
  return {
    runId: start ? begun.parse(JSON.parse(start)).runId : null,
    result: end ? textEnd.parse(JSON.parse(end)) : null,
    hasFailed,
  };
}

/** The last event of each name. One that is cut off is none. */
function eventsIn(text: string): Map<string, string> {
  const whole = text.split("\n\n").slice(0, -1);
  return new Map(
    whole.flatMap((block) => {
      const name = /^event: (.+)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      return name && data ? [[name, data] as const] : [];
    }),
  );
}
