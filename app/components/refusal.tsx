import type { ReactNode } from "react";

/**
 * The message of a form that was refused. It gets the focus when its page is loaded, so that it is in
 * view and read out.
 */
export function Refusal({ id, children }: { id?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noAutofocus: the page is the answer to a form, and this is what it says.
    <div id={id} tabIndex={-1} autoFocus>
      {children}
    </div>
  );
}
