/** One sample of Prometheus' text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g;

/** Reads the samples of a server's metrics. Throws for a line that is none. */
export function parseMetrics(text: string): Sample[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name, labels = "", value = ""] = LINE.exec(line) ?? [];
      if (!name) throw new Error(`no sample: ${line.slice(0, 80)}`);
      const pairs = [...labels.matchAll(LABEL)];
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, key = "", text = ""]) => [key, text])),
        value: value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value),
      };
    });
}

/** The sum of the samples of this name and these labels. */
export function sumOf(
  samples: Sample[],
  name: string,
  labels: Record<string, string> = {},
): number {
  return samples
    .filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}

/** The samples in groups of one key each, in the order in which the keys first come. */
export function groupBy(
  samples: Sample[],
  keyOf: (sample: Sample) => string,
): [string, Sample[]][] {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples)
    groups.set(keyOf(sample), [...(groups.get(keyOf(sample)) ?? []), sample]);
  return [...groups];
}
