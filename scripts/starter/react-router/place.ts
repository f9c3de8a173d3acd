/** A place that knows Remix by more than the name of a module. */
export interface Place {
  file: string;
  /** For the person who must do it where the file is no longer as the starter had it. */
  what: string;
  edit(text: string): string;
}
