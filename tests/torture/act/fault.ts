/** A fault of the service. Its message says it in one line. */
export class Fault extends Error {
  override readonly name = "Fault";
}

/** @throws Fault unless it holds */
export function must(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Fault(message);
}
