import { z } from "zod";

const packageSchema = z.object({ name: z.string(), version: z.string() });
const reportSchema = z.object({ invalid: z.array(packageSchema), missing: z.array(packageSchema) });

interface SignatureFaults {
  /** What is installed is not what was published. */
  invalid: string[];
  /** The registry signs its packages, and not these. */
  missing: string[];
}

/** The packages at fault in a report of `npm audit signatures --json`, like `left-pad@1.3.0`. */
export function listSignatureFaults(report: unknown): SignatureFaults {
  const { invalid, missing } = reportSchema.parse(report);
  const nameOf = ({ name, version }: z.output<typeof packageSchema>) => `${name}@${version}`;
  return { invalid: invalid.map(nameOf), missing: missing.map(nameOf) };
}
