import { readFileSync } from "node:fs";

/**
 * Returns the code block of a document that has this language and holds this text, so that a test runs
 * what the document shows. Throws unless there is exactly one.
 */
export function readDocBlock(file: string, language: string, holding: string): string {
  const blocks = [
    ...readFileSync(file, "utf8").matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm),
  ].flatMap(([, indent = "", name, text = ""]) =>
    name === language && text.includes(holding)
      ? [`\n${text}`.replaceAll(`\n${indent}`, "\n").slice(1)]
      : [],
  );
  const [block] = blocks;
  if (!block || blocks.length > 1)
    throw new Error(`${file} has ${blocks.length} blocks of ${language} with '${holding}'`);
  return block;
}

/** Replaces each text once, and throws if one is not there: the document changed. */
export function fillIn(block: string, values: Record<string, string>): string {
  return Object.entries(values).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the block has no '${from}'`);
    return text.replace(from, to);
  }, block);
}
