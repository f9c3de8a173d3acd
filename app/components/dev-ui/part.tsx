import type { ReactNode } from "react";

/** One part with its variants, under the name of its file in `app/components/ui`. */
export function Part({ file, children }: { file: string; children: ReactNode }) {
  return (
    <section className="ui-sec">
      <h3>{file}</h3>
      {children}
    </section>
  );
}
