/** Sample pictures whose prompts a visitor can begin with; each has its words in the translations. */
export const EXAMPLES = [
  { name: "fox", prompt: "generator.examples.fox", width: 600, height: 600 },
  { name: "flow", prompt: "generator.examples.flow", width: 600, height: 600 },
  { name: "bottle", prompt: "generator.examples.bottle", width: 480, height: 720 },
  { name: "bauhaus", prompt: "generator.examples.bauhaus", width: 480, height: 720 },
] as const;

/** Returns the example of that name, if there is one. */
export const findExample = (name: string | null) =>
  EXAMPLES.find((example) => example.name === name) ?? null;
