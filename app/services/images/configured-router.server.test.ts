import { expect, test } from "vitest";
import { REQUIRED } from "#tests/fixtures/env";
import { parseEnv } from "~/env.server";
import { listImageProviders } from "~/services/images/configured-router.server";

test.each([
  ["every provider with a key, in priority order", {}, "fal openai"],
  ["only the one that is named", { IMAGE_PROVIDER: "3" }, "openai"],
  ["none when the named one has no key, never another", { IMAGE_PROVIDER: "replicate" }, ""],
])("providers in use: %s", async (_rule, source, names) => {
  const { images } = parseEnv({
    ...REQUIRED,
    IMAGE_PROVIDER_1_KEY: "one",
    IMAGE_PROVIDER_3_KEY: "three",
    ...source,
  });
  const providers = listImageProviders(images);
  expect(providers.map(({ name }) => name).join(" ")).toBe(names);
});
