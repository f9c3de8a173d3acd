import { type Bench, median, spreadOf } from "./bench";
import { runGranting, type Sample } from "./granting-process";
import { seedSubscriptions } from "./seed-subscriptions";

const DUE = 100_000;
const FEW = 10_000;

/** Compares the memory of a process that grants many with one that grants a tenth of them. */
export const memoryBench: Bench = {
  summary: "the memory of a process that grants 100,000, compared with one that grants 10,000",
  async run({ server, scaled, onProgress }) {
    const peaks: { due: number; heap: number; rss: number }[] = [];
    for (const due of [scaled(FEW, 10), scaled(DUE, 20)]) {
      onProgress(`making ${due} subscriptions that are due`);
      const url = await server.createDatabase();
      await seedSubscriptions(url, { subscriptions: due, due });
      const samples = await runGranting(url);
      await server.dropDatabase(url);
      for (const line of describeCourse(samples)) onProgress(line);
      peaks.push({ due, heap: peak(samples, "heap"), rss: peak(samples, "rss") });
    }
    const [few, many] = peaks;
    if (!few || !many) throw new Error("nothing was measured");
    const figure = (kind: "heap" | "rss", name: string, atMost: number) => ({
      what: `${name}, granting ${many.due}`,
      against: `granting ${few.due}`,
      unit: "MB" as const,
      measured: spreadOf([many[kind] / 2 ** 20]),
      reference: spreadOf([few[kind] / 2 ** 20]),
      ratio: many[kind] / few[kind],
      goal: { atMost },
    });
    return [figure("heap", "live heap", 1.15), figure("rss", "resident set", 1.25)];
  },
};

const peak = (samples: Sample[], kind: "heap" | "rss") =>
  Math.max(...samples.map((sample) => sample[kind]));

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** Returns the median of each quarter of the run, so that a slope shows. */
function describeCourse(samples: Sample[]): string[] {
  const quarter = Math.max(1, Math.ceil(samples.length / 4));
  return [0, 1, 2, 3].flatMap((n) => {
    const part = samples.slice(n * quarter, (n + 1) * quarter);
    if (part.length === 0) return [];
    const middle = (kind: "heap" | "rss") => megabytes(median(part.map((one) => one[kind])));
    return [`quarter ${n + 1} of the way: live heap ${middle("heap")}, resident ${middle("rss")}`];
  });
}
