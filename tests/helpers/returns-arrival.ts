import type { Fact } from "./returns-law";
import type { Placed } from "./returns-shop";

/** The facts in the order in which they happened. */
export function inOrder(facts: readonly Fact[]): Fact[] {
  return facts.toSorted((a, b) => a.at - b.at);
}

/** The facts as they arrive: late, in any order, some twice. */
export function shuffled(facts: readonly Fact[]): Placed<Fact>[] {
  return inOrder(facts)
    .flatMap((fact, at) => {
      const { late, again } = fact.delivery;
      const first = { at: at + late, thing: fact };
      return again === null ? [first] : [first, { at: at + late + again, thing: fact }];
    })
    .toSorted((a, b) => a.at - b.at);
}
