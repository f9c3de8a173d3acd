/** A place that knows Remix by more than the name of a module. */
export interface Place {
  file: string;
  edit(text: string): string;
}

/** A place in the program: where it still names Remix after the edit, a person has to change it. */
export interface CodePlace extends Place {
  /** For that person. */
  what: string;
  /** Matches in a file that is not moved. */
  unmoved: RegExp;
}
