import { Gauge, Registry } from "prom-client";
import { FACTS, type FactName, readFacts } from "~/models/upkeep/facts.server";
import { log } from "~/utils/logger.server";
import { rememberFor } from "~/utils/remember";
import { withinDeadline } from "~/utils/within-deadline";

/** Several scrapers at once ask the database once. */
const FRESH_MS = 1_000;
const DEADLINE_MS = 5_000;

export const FACTS_READ = "rcs_facts_read";

/** The facts of the database; without them, and `rcs_facts_read` 0, if it doesn't respond. */
export const readFactsRegistry: () => Promise<Registry> = rememberFor(FRESH_MS, async () => {
  const registry = new Registry();
  const registers = [registry];
  const wereRead = new Gauge({
    name: FACTS_READ,
    help: "1 if the facts of the database could be read for this scrape, else 0.",
    registers,
  });
  try {
    const rows = await withinDeadline(readFacts(), DEADLINE_MS, "the database is silent");
    const gauges = new Map<FactName, Gauge>();
    for (const [name, { help, label }] of Object.entries(FACTS))
      gauges.set(
        name as FactName,
        new Gauge({ name, help, labelNames: label ? [label] : [], registers }),
      );
    for (const { metric, label, value } of rows) {
      const { label: named } = FACTS[metric];
      gauges.get(metric)?.set(named ? { [named]: label } : {}, value);
    }
    wereRead.set(1);
  } catch (error) {
    log().error({ err: error }, "metrics: the database's facts could not be read");
    wereRead.set(0);
  }
  return registry;
});
