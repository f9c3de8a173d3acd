import { z } from "zod";
import { costOf } from "../judge/cost-of";
import type { Reply } from "../world/http";
import {
  codeOf,
  imageAnswer,
  readAnswer,
  runAnswer,
  shortageAnswer,
  textAnswer,
  type textEnd,
} from "./answers";
import { isEvents, readEvents, type ToldByStream } from "./events";
import { Fault, must } from "./fault";
import type { KnownRun, Person } from "./person";
import type { Stage } from "./stage";

/** Refusals before anything was taken. */
const REFUSALS = ["insufficient_credits", "limit_reached", "generation_unavailable"];
/** The answer says that nothing was taken. */
export const isRefusal = (reply: Reply): boolean => REFUSALS.includes(codeOf(reply) ?? "");

const FAILURES = ["generation_failed", "prompt_rejected"];

/** Takes an answer's word, which must agree with all words before. */
export function takeAnswer(stage: Stage, person: Person, run: KnownRun, reply: Reply): void {
  stage.count(`${run.action}: ${reply.status}`);
  if (isEvents(reply)) takeEvents(stage, person, run, readEvents(reply));
  else if (reply.status === 202)
    meet(person, run, { ...readAnswer(reply, runAnswer), isOpen: true });
  else if (reply.status === 200) takeResult(stage, person, run, reply);
  else takeRefusal(stage, person, run, reply);
}

/** Whether Creem's check refuses the prompt, before anything is taken or asked. */
const isChecked = ({ world }: Stage, { action, body }: KnownRun) =>
  world.provider === "creem" && action === "image" && /\[sandbox:(deny|flag)\]/.test(body);

/** The check of a prompt waits so long for its provider. */
const CHECK_MS = 15_000;

function takeRefusal(stage: Stage, person: Person, run: KnownRun, reply: Reply): void {
  const code = codeOf(reply);
  if (code === "idempotency_in_progress") return;
  must(
    code !== "generation_unavailable" ||
      (run.action === "image" && stage.isStormy(performance.now() - CHECK_MS)),
    "nothing can be generated, while nothing was broken",
  );
  if (code === "insufficient_credits") judgeShortage(stage, run, reply);
  if (code === "limit_reached")
    must(hasLimit(person, run), "a run is refused for a limit that nobody set");
  const isRefused = code === "prompt_rejected" && isChecked(stage, run);
  if (isRefused || (code !== null && REFUSALS.includes(code))) {
    must(run.outcome !== "charged" && run.outcome !== "failed", `an ended run is refused: ${code}`);
    run.outcome = "refused";
    return;
  }
  if (code === null || !FAILURES.includes(code))
    throw new Fault(`a run is answered by ${reply.status} ${code ?? reply.text.slice(0, 100)}`);
  must(run.outcome !== "charged", `a run that was charged is answered by ${code}`);
  run.outcome = "failed";
}

/** A run is refused only for a balance below what it reserves: for images their price. */
function judgeShortage({ sold }: Stage, run: KnownRun, reply: Reply): void {
  const { required, balance } = readAnswer(reply, shortageAnswer);
  must(required > balance, `${required} credits are refused, and the balance is ${balance}`);
  const cost = costOf("image", wantedOf(run).n, sold);
  must(run.action !== "image" || required === cost, `images of ${cost} credits need ${required}`);
  run.balance = balance;
}

const hasLimit = ({ limits, keys }: Person, { byKey }: KnownRun) =>
  limits.some(({ credits }) => credits !== null) ||
  (byKey && keys.some(({ limit }) => limit !== null));

function takeEvents(
  stage: Stage,
  person: Person,
  run: KnownRun,
  { runId, result, hasFailed }: ToldByStream,
): void {
  if (runId === null) return;
  const isOpen = result === null;
  if (result) takeText(stage, run, result);
  meet(person, run, { creditsCharged: 0, balance: null, ...result, runId, isOpen });
  if (!hasFailed) return;
  must(run.outcome !== "charged", "a run that was charged is answered by a failure");
  run.outcome = "failed";
}

function takeResult(stage: Stage, person: Person, run: KnownRun, reply: Reply): void {
  const { sold } = stage;
  if (run.action === "text") {
    const text = readAnswer(reply, textAnswer);
    takeText(stage, run, text);
    meet(person, run, text);
  } else {
    must(!isChecked(stage, run), "images are made of a prompt that Creem refuses");
    const { generationId, images, ...image } = readAnswer(reply, imageAnswer);
    const cost = costOf("image", images.length, sold);
    must(image.creditsCharged === cost, `${images.length} images cost ${image.creditsCharged}`);
    const { n } = wantedOf(run);
    const isEnough = images.length === n || run.mayFail || stage.hadStorm();
    must(images.length <= n && isEnough, `of ${n} images ${images.length} came`);
    run.units = images.length;
    meet(person, run, { ...image, runId: generationId });
  }
}

/** The number of images that a request names. A text's names none. */
const wantedOf = ({ body }: KnownRun) =>
  z.object({ n: z.int().default(0) }).parse(JSON.parse(body));

/** Units that a provider counts beyond the reservation aren't charged. */
function takeText(
  { sold }: Stage,
  run: KnownRun,
  { usage, finishReason, creditsCharged }: z.output<typeof textEnd>,
): void {
  const tokens = usage.inputTokens + usage.outputTokens;
  must(creditsCharged <= costOf("text", tokens, sold), `${tokens} tokens cost ${creditsCharged}`);
  Object.assign(run, { units: tokens, finishReason });
}

interface Told {
  runId: string;
  creditsCharged: number;
  balance: number | null;
  isOpen?: boolean;
}

/** Compares a run with what was told of it before. */
function meet(person: Person, run: KnownRun, told: Told): void {
  must(run.id === null || run.id === told.runId, `one key is run ${run.id} and run ${told.runId}`);
  const owner = person.runs.find(({ id }) => id === told.runId);
  must(owner === undefined || owner === run, `two keys are run ${told.runId}`);
  run.id = told.runId;
  if (told.isOpen) {
    // One that was refused may have found room since, or a copy of it.
    if (run.outcome === "unknown" || run.outcome === "refused") run.outcome = "open";
    return;
  }
  must(run.outcome !== "failed", "a run that failed is answered with a result");
  must(told.creditsCharged > 0, "a result cost nothing");
  must(
    run.outcome !== "charged" || run.charged === told.creditsCharged,
    `run ${run.id} cost ${run.charged}, and then ${told.creditsCharged}`,
  );
  Object.assign(run, { outcome: "charged", charged: told.creditsCharged, balance: told.balance });
}
