/** One thing that `starter:check` looks at. */
export interface Check {
  id: string;
  /** A warning does not change the exit code. */
  status: "pass" | "warn" | "fail";
  /** What was found and, unless it passed, what to do; at least one line. */
  lines: string[];
}

/** Passes with `good` unless there is a fault. */
export function checkOf(id: string, faults: string[], good: string): Check {
  return faults.length > 0
    ? { id, status: "fail", lines: faults }
    : { id, status: "pass", lines: [good] };
}
