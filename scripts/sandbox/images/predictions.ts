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

/** Errors of failed predictions. Replicate gives nothing but the text, so these are its own words. */
const ERRORS: Partial<Record<FaultName, string>> = {
  refusal:
    "The input or output was flagged as sensitive. Please try again with different inputs. (E005)",
  nsfw_all: "NSFW content detected. Try running it again, or try a different prompt.",
  high_demand: "Service is temporarily unavailable due to high demand. Please try later. (E003)",
  failed_prediction: "CUDA out of memory",
};

/** Number of polls that find a prediction still processing; others have ended when created. */
const LOOKS_AT_WORK: Partial<Record<FaultName, number>> = {
  slow_prediction: 1,
  hanging_poll: Number.POSITIVE_INFINITY,
};

/** The predictions created so far; each `look` is one poll. */
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
