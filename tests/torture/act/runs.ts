import { HARMLESS, LATE, type Operation, type Site } from "../plan/operations";
import { LATE_ON_ITS_WAY } from "../world/proxy";
import { codeOf } from "./answers";
import { must } from "./fault";
import { blur, forget, fromEnd, type KnownRun, type Person } from "./person";
import { isRefusal, takeAnswer } from "./run-answers";
import { asJson, headersOf, type Stage, tryOnce } from "./stage";

type RunOperation = Extract<Operation, { do: "image" | "text" }>;

interface Wanted {
  prompt: string;
  rest: object;
  byKey: boolean;
  fault: string | null;
  /** Which of those that are asked for at once. */
  nth?: number;
  /** Nothing may have been made when its reader left. */
  isLeft?: boolean;
}

/** Makes the request of a run. Its mark and its key are those of the step, so a repeated history asks the same. */
export function newRun(person: Person, action: KnownRun["action"], wanted: Wanted): KnownRun {
  const mark = `torture-${person.userId}-${person.steps}-${wanted.nth ?? 0}`;
  const run: KnownRun = {
    ...{ idempotencyKey: mark, action, mark, fault: wanted.fault },
    mayFail: wanted.isLeft === true || (wanted.fault !== null && !HARMLESS.has(wanted.fault)),
    byKey: wanted.byKey && person.key !== null,
    path: action === "image" ? "/api/generate-image" : "/api/generate-text",
    body: JSON.stringify({
      prompt: `${mark} ${wanted.prompt}${orderOf(wanted.fault)}`,
      ...wanted.rest,
    }),
    ...{ id: null, outcome: "unknown", charged: 0, units: null, finishReason: null, balance: null },
  };
  person.runs.push(run);
  return run;
}

export async function doRuns(stage: Stage, person: Person, operation: RunOperation): Promise<void> {
  const { crowd, copies, by, way, fault } = operation;
  const runs = Array.from({ length: crowd }, (_, nth) =>
    newRun(person, operation.do, { ...contentOf(operation), byKey: by === "key", fault, nth }),
  );
  const before = person.known;
  const began = performance.now();
  // A crowd asks both servers: what one of them keeps in order by itself isn't in order between two.
  await Promise.all(
    runs.map((run, nth) =>
      askRun(stage, person, run, { copies, way, at: (operation.at + nth) % 2 === 0 ? 0 : 1 }),
    ),
  );
  must(
    stage.isStormy(began) || runs.every(({ outcome, mayFail }) => outcome !== "failed" || mayFail),
    "a run failed, while nothing was broken",
  );
  if (crowd > 1 || way === "async") forget(person);
  else if (runs[0]) judgeFunds(person, runs[0], before);
}

function contentOf(operation: RunOperation): { prompt: string; rest: object } {
  if (operation.do === "image")
    return { prompt: "a lake", rest: { n: operation.images, size: "square" } };
  const rest = operation.most === null ? {} : { maxTokens: operation.most };
  return { prompt: `[tokens:${operation.tokens}]`, rest };
}

function orderOf(fault: string | null): string {
  if (fault === null) return "";
  return fault === LATE ? ` ${LATE_ON_ITS_WAY}` : ` [sandbox:${fault}]`;
}

/** Asks for the run so many times at once, at both servers in turns, and takes what the answers say together. */
async function askRun(
  stage: Stage,
  person: Person,
  run: KnownRun,
  { copies, at, way }: { copies: number; at: Site; way: "whole" | "async" },
): Promise<void> {
  const replies = await Promise.all(
    Array.from({ length: copies }, (_, copy) =>
      tryOnce(stage, { ...requestOf(person, run, way), at: (at + copy) % 2 === 0 ? 0 : 1 }),
    ),
  );
  const whole = replies.filter((reply) => reply !== null);
  // A copy may have been refused before another one found room, whichever was answered first.
  const inOrder = [...whole.filter(isRefusal), ...whole.filter((reply) => !isRefusal(reply))];
  for (const reply of inOrder) takeAnswer(stage, person, run, reply);
  if (replies.includes(null)) {
    // The copy whose answer was lost may have found room.
    if (run.outcome === "refused") run.outcome = "unknown";
    blur(person);
  }
  must(
    replies.includes(null) || whole.some((reply) => codeOf(reply) !== "idempotency_in_progress"),
    "each copy of a request was told that another one is in progress",
  );
}

export function requestOf(person: Person, run: KnownRun, way: "whole" | "async") {
  return {
    method: "POST",
    path: run.path,
    body: run.body,
    headers: {
      ...headersOf(person, run.byKey ? "key" : "session"),
      ...asJson,
      "Idempotency-Key": run.idempotencyKey,
      ...(way === "async" ? { Prefer: "respond-async" } : {}),
    },
  };
}

/** Judges what the account can spend after one run, and that a refusal spoke of what it had. */
function judgeFunds(person: Person, run: KnownRun, before: number | null): void {
  const isOver = run.outcome !== "unknown" && run.outcome !== "open";
  if (!isOver || person.isBlurred || before === null) forget(person);
  else if (run.outcome === "charged") {
    person.known = before - run.charged;
    must(
      run.balance === person.known,
      `a run cost ${run.charged} of ${before}, and its answer says ${run.balance} are left`,
    );
  } else if (run.outcome === "failed") {
    // Credits that come back may pay a debt of a payment that went back.
    person.known = person.returns.length > 0 ? null : before;
  } else
    must(
      run.balance === null || run.balance === before,
      `a run is refused for a balance of ${run.balance}, and it is ${before}`,
    );
}

/** Sends an earlier run's request again: the same answer, or with another body a refusal. */
export async function doAgain(
  stage: Stage,
  person: Person,
  { back, changed, at }: Operation & { do: "again" },
): Promise<void> {
  const ended = person.runs.filter(({ outcome }) => outcome === "charged" || outcome === "failed");
  const run = fromEnd(ended, back);
  if (!run) return;
  const request = requestOf(person, run, "whole");
  const body = changed ? run.body.replace("torture-", "other-") : run.body;
  const reply = await tryOnce(stage, { ...request, body, at });
  if (!reply) return blur(person);
  const code = codeOf(reply);
  must(code !== "idempotency_in_progress", "a run that has ended is said to go on");
  if (!changed) return takeAnswer(stage, person, run, reply);
  must(
    code === "idempotency_mismatch",
    `another body under a used key is answered by ${reply.status}`,
  );
  stage.count("again: another body");
}
