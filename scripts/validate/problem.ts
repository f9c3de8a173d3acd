/** One fault: where it is, what is wrong, and what to do. */
export interface Problem {
  file: string;
  /** From 1. */
  line: number;
  text: string;
}

/** The line, from 1, that an offset of a text is on. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** One line a problem, in the order of files and lines, in the form that editors make a link of. */
export function formatProblems(problems: Problem[]): string[] {
  return problems
    .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
    .map(({ file, line, text }) => `${file}:${line}: ${text}`);
}
