import { randomBytes } from "node:crypto";
import type { FaultName } from "./faults";

export interface Prediction {
  id: string;
  model: string;
  input: object;
  status: "processing" | "succeeded" | "failed" | "canceled";
  output: string[] | string | null;
  error: string | null;
}

/** How a prediction ends that does not succeed: in Replicate's own words, which are all there is. */
const ERRORS: Partial<Record<FaultName, string>> = {
  refusal:
    "The input or output was flagged as sensitive. Please try again with different inputs. (E005)",
  nsfw_all: "NSFW content detected. Try running it again, or try a different prompt.",
  high_demand: "Service is temporarily unavailable due to high demand. Please try later. (E003)",
  failed_prediction: "CUDA out of memory",
};

/** How many looks still find a prediction at work; any other has ended when it is answered. */
const LOOKS_AT_WORK: Partial<Record<FaultName, number>> = {
  slow_prediction: 1,
  hanging_poll: Number.POSITIVE_INFINITY,
};

/** The predictions made so far and what each look at one finds. */
export function createPredictions() {
  const predictions = new Map<string, Prediction & { looksLeft: number }>();

  return {
    create({
      fault,
      ...made
    }: Pick<Prediction, "model" | "input" | "output"> & { fault: FaultName | null }): Prediction {
      const error = (fault && ERRORS[fault]) ?? null;
      const looksLeft = (fault && LOOKS_AT_WORK[fault]) ?? 0;
      const ended = error ? "failed" : "succeeded";
      const status = looksLeft > 0 ? "processing" : ended;
      const id = randomBytes(13).toString("hex");
      const prediction = { ...made, id, status, error, looksLeft } as const;
      predictions.set(id, prediction);
      return prediction;
    },

    look(id: string): Prediction | null {
      const prediction = predictions.get(id);
      if (!prediction) return null;
      if (prediction.status === "processing" && prediction.looksLeft === 0)
        prediction.status = "succeeded";
      prediction.looksLeft -= 1;
      return prediction;
    },

    cancel(id: string): Prediction | null {
      const prediction = predictions.get(id);
      if (prediction?.status === "processing") prediction.status = "canceled";
      return prediction ?? null;
    },
  };
}
