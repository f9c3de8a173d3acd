import type { Locale } from "~/i18n/locale";

/** Returns the address of Create with the form that this browser sent before it had to sign in. */
export function draftPath(locale: Locale): string {
  return `/${locale}/demo/image-generator?draft`;
}

/** Whether a way back leads to a form that waits there. */
export function isDraftPath(path: string | undefined): boolean {
  return path?.endsWith("/demo/image-generator?draft") ?? false;
}
