/** One fault: where it is, what is wrong, and what to do. */
export interface Problem {
  file: string;
  /** From 1. */
  line: number;
  text: string;
}

/** Returns the line, from 1, of an offset in a text. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Formats one line per problem, by file and line, in a form that editors turn into a link. */
export function formatProblems(problems: Problem[]): string[] {
  return problems
    .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
    .map(({ file, line, text }) => `${file}:${line}: ${text}`);
}
