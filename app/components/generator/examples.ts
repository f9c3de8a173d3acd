/** Sample pictures whose prompts a visitor can begin with; each has its words in the translations. */
export const EXAMPLES = [
  { name: "fox", width: 600, height: 600 },
  { name: "flow", width: 600, height: 600 },
  { name: "bottle", width: 480, height: 720 },
  { name: "bauhaus", width: 480, height: 720 },
] as const;

type ExampleName = (typeof EXAMPLES)[number]["name"];

/** Returns the example of that name, if there is one. */
export const findExample = (name: string | null): ExampleName | null =>
  EXAMPLES.find((example) => example.name === name)?.name ?? null;
