import type { Operation } from "../plan/operations";
import { send } from "../world/http";
import { isEvents } from "./events";
import { must } from "./fault";
import { blur, forget, type Person } from "./person";
import { takeAnswer } from "./run-answers";
import { newRun, requestOf } from "./runs";
import { isNotNow, type Stage } from "./stage";

/** Reads a text while it is written, or leaves. Who leaves pays for what was made until then. */
export async function doStream(
  stage: Stage,
  person: Person,
  { tokens, leaveAfter, fault, at, by }: Operation & { do: "stream" },
): Promise<void> {
  const rest = { stream: true };
  const run = newRun(person, "text", {
    ...{ prompt: `[tokens:${tokens}]`, rest, byKey: by === "key", fault },
    isLeft: leaveAfter !== null,
  });
  const [first, second] = stage.world.servers;
  const { port } = at === 0 ? first : second;
  const began = performance.now();
  const leaves = leaveAfter === null ? {} : { leaveAfter };
  const reply = await send({ ...requestOf(person, run, "whole"), port, ...leaves }).catch(
    () => null,
  );
  const isRefused = reply !== null && !isEvents(reply) && isNotNow(reply);
  if (reply && !isRefused) takeAnswer(stage, person, run, reply);
  stage.count(leaveAfter === null ? "stream" : "stream that is left");
  const isStormy = stage.isStormy(began);
  must(
    isStormy || !isRefused,
    `a stream is answered by ${reply?.status}, while nothing was broken`,
  );
  must(
    isStormy || run.mayFail || run.outcome !== "failed",
    "a stream failed, while nothing was broken",
  );
  const isOver = run.outcome !== "unknown" && run.outcome !== "open";
  if (isOver) return forget(person);
  must(isStormy || leaveAfter !== null, "a stream ended without an end");
  blur(person);
}
