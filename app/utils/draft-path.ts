/** Returns the address of a page with the form that this browser sent before it had to sign in. */
export const draftPath = (page: string): string => `${page}?draft`;

/** Whether a way back leads to a form that waits there. */
export const isDraftPath = (path: string | undefined): boolean => path?.endsWith("?draft") ?? false;
