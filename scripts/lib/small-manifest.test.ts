import { expect, test } from "vitest";
import { shrinkManifest } from "./small-manifest";

const route = (module: string) => ({ module, imports: ["/assets/packages.js"] });

test("a route without a page is left out, and a page that browsers don't run keeps no imports", () => {
  const small = shrinkManifest(
    {
      entry: "/assets/entry.js",
      routes: {
        create: route("/assets/create.js"),
        pricing: route("/assets/pricing.js"),
        "api.files": route("/assets/api.js"),
      },
    },
    { interactive: ["create"], hasPage: (module) => module !== "/assets/api.js" },
  );
  expect(small).toEqual({
    entry: "/assets/entry.js",
    routes: {
      create: route("/assets/create.js"),
      pricing: { module: "/assets/pricing.js", imports: [] },
    },
  });
});
