import { z } from "zod";

const packageSchema = z.object({ name: z.string(), version: z.string() });
const reportSchema = z.object({ invalid: z.array(packageSchema), missing: z.array(packageSchema) });

interface SignatureFaults {
  /** The installed package differs from the published one. */
  invalid: string[];
  /** Unsigned, though the registry signs its packages. */
  missing: string[];
}

/** Returns the packages at fault in a report of `npm audit signatures --json`, like `left-pad@1.3.0`. */
export function listSignatureFaults(report: unknown): SignatureFaults {
  const { invalid, missing } = reportSchema.parse(report);
  const nameOf = ({ name, version }: z.output<typeof packageSchema>) => `${name}@${version}`;
  return { invalid: invalid.map(nameOf), missing: missing.map(nameOf) };
}
