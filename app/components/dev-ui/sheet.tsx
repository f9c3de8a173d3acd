import type { Theme } from "~/utils/theme";
import { ContentParts } from "./content-parts";
import { FormParts } from "./form-parts";
import { SmallParts } from "./small-parts";

/** Shows all parts in one theme, whatever the page's own theme is. */
export function Sheet({ theme }: { theme: Exclude<Theme, "system"> }) {
  return (
    <section className="ui-col" data-theme={theme}>
      <h2>{theme === "light" ? "Light" : "Dark"}</h2>
      <SmallParts id={theme} />
      <FormParts id={theme} />
      <ContentParts />
    </section>
  );
}
