import { type ReactNode, useEffect, useRef } from "react";

interface RefusalProps {
  id?: string;
  className?: string;
  children: ReactNode;
}

/**
 * The message of a form that was refused. It gets the focus when it appears, so that it is in view and
 * read out.
 */
export function Refusal({ id, className, children }: RefusalProps) {
  const element = useRef<HTMLDivElement>(null);
  // In the browser, React sets the focus of fields alone.
  useEffect(() => element.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/noAutofocus: the page is the response to a form, and this is what it says.
    <div id={id} className={className} ref={element} tabIndex={-1} autoFocus>
      {children}
    </div>
  );
}
