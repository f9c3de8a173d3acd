import type { Fault, FaultName } from "./faults";

/** A request that a provider has accepted, with the result it will have. */
export interface AcceptedRequest<Result> {
  id: string;
  state: "running" | "ended" | "cancelled";
  result: Result;
}

/** Looks that find a request still running. */
const LOOKS_AT_WORK: Partial<Record<FaultName, number>> = {
  slow_prediction: 1,
  hanging_poll: Number.POSITIVE_INFINITY,
};

/** Looks that get no response. */
const LOST_LOOKS: Partial<Record<FaultName, number>> = { lost_polls: 2 };

interface Kept<Result> extends AcceptedRequest<Result> {
  endsAt: number;
  looksLeft: number;
  lostLeft: number;
}

/** The requests accepted so far; each `look` is one poll. */
export function createAcceptedRequests<Result>() {
  const requests = new Map<string, Kept<Result>>();

  return {
    accept({ id, result, fault }: { id: string; result: Result; fault: Fault | null }) {
      const name = fault?.fault;
      const request: Kept<Result> = {
        id,
        result,
        state: "running",
        endsAt: performance.now() + (name === "slow" ? (fault?.delayMs ?? 0) : 0),
        looksLeft: (name && LOOKS_AT_WORK[name]) ?? 0,
        lostLeft: (name && LOST_LOOKS[name]) ?? 0,
      };
      requests.set(id, request);
    },

    /** The request now; `lost` if this look gets no response, and null for an unknown id. */
    look(id: string): AcceptedRequest<Result> | "lost" | null {
      const request = requests.get(id);
      if (!request) return null;
      if (request.lostLeft > 0) {
        request.lostLeft -= 1;
        return "lost";
      }
      if (request.state === "running" && request.looksLeft === 0)
        if (performance.now() >= request.endsAt) request.state = "ended";
      if (request.looksLeft > 0) request.looksLeft -= 1;
      return request;
    },

    /** Stops a request that still runs. Returns it, or null for an unknown id. */
    cancel(id: string): AcceptedRequest<Result> | null {
      const request = requests.get(id);
      if (request?.state === "running") request.state = "cancelled";
      return request ?? null;
    },
  };
}
