import { randomUUID } from "node:crypto";
import type { Database } from "~/db.server";
import { keepCall, keepPause, keepRequestId } from "~/models/metering/calls.server";
import { releaseRun } from "~/models/metering/leases.server";
import { claimRuns, type FoundRun } from "~/models/metering/resume.server";
import { refundRun } from "~/models/metering/settle.server";
import { settleImages } from "./image-runs";

/** How a process that took over a run goes on. */
type Continuation = "result" | "failure" | "next step" | "death";
export const CONTINUATIONS: Continuation[] = ["result", "failure", "next step", "death"];

const CALL = { provider: "fal", model: "fal-ai/flux/schnell" };
const IMAGE = { url: "https://images.test/1.png", persisted: false, fileId: null };
const isOpen = (attempt: unknown) => !Object.hasOwn(attempt as object, "outcome");

/**
 * The steps of an account's runs for images at a provider with request ids, as any process may take them at any time, and
 * `broken`: laws of taking over that didn't hold.
 */
export function createRunProcesses(db: Database, accountId: string) {
  const accepted = new Map<string, string>();
  const broken: string[] = [];
  /** By run: how often it was taken over, less how often it was let go. */
  const held = new Map<string, number>();
  const hold = (runId: string, by: number) => {
    held.set(runId, (held.get(runId) ?? 0) + by);
    if ((held.get(runId) ?? 0) > 1) broken.push(`two processes took over run ${runId}`);
  };

  const attemptsOf = async (runId: string) => {
    const { attempts } = await db.meteredRun.findUniqueOrThrow({ where: { id: runId } });
    return attempts as object[];
  };
  /** Of a call whose answer came and was no result. */
  const answered = async (runId: string) =>
    (await attemptsOf(runId)).map((attempt) =>
      isOpen(attempt) ? { provider: CALL.provider, outcome: "transient", again: "now" } : attempt,
    );

  const processes = {
    broken,
    async call(runId: string) {
      await keepCall({ runId, ...CALL, attempts: await answered(runId) }, db);
    },
    async accept(runId: string) {
      const requestId = randomUUID();
      accepted.set(requestId, runId);
      const calls = (await attemptsOf(runId)).length;
      if (calls > 0) await keepRequestId({ runId, requestId, calls }, db);
    },
    async pause(runId: string) {
      await keepPause({ runId, attempts: await answered(runId) }, db);
    },
    async release(runId: string) {
      hold(runId, -(held.get(runId) ?? 0));
      await releaseRun({ runId }, db);
    },
    /** Every process dies, and the leases of its runs end. */
    async die() {
      held.clear();
      await db.$executeRaw`
        UPDATE metered_runs SET lease_until = now()
        WHERE account_id = ${accountId}::uuid AND status = 'reserved'`;
    },
    /** Another process takes over what it finds. */
    async resume(images: number, how: Continuation) {
      const found = await claimRuns({ action: "image", providers: ["fal"], limit: 100 }, db);
      for (const run of found) {
        hold(run.id, 1);
        judge(run);
        await goOn(run, images, how);
      }
    },
  };

  function judge({ id, providerRequestId, attempts }: FoundRun): void {
    if (providerRequestId === null && attempts.some(isOpen))
      broken.push(`the open call of run ${id} would be sent again`);
    if (providerRequestId !== null && accepted.get(providerRequestId) !== id)
      broken.push(`run ${id} would get the result of another`);
  }

  async function goOn(run: FoundRun, images: number, how: Continuation): Promise<void> {
    const { id: runId } = run;
    if (how === "next step") await processes.release(runId);
    else if (how === "failure") await refundRun({ runId, error: "generation_failed" }, db);
    else if (how === "result" && run.providerRequestId === null) await processes.call(runId);
    else if (how === "result")
      await settleImages(
        db,
        runId,
        Array.from({ length: images }, () => IMAGE),
      );
  }
  return processes;
}
