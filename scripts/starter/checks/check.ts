/** The result of one check of `starter:check`. */
export interface Check {
  id: string;
  /** A warning doesn't change the exit code. */
  status: "pass" | "warn" | "fail";
  /** The finding and, unless it passed, what to do; at least one line. */
  lines: string[];
}

/** Passes with `good` unless there are faults. */
export function checkOf(id: string, faults: string[], good: string): Check {
  return faults.length > 0
    ? { id, status: "fail", lines: faults }
    : { id, status: "pass", lines: [good] };
}
