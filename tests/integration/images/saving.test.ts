import { expect, test } from "vitest";
import { fetchImage } from "~/services/images/fetch-image.server";
import { type FaultName, PROVIDERS, type Provider } from "../../../scripts/sandbox/images/faults";
import { setUpImageSandbox } from "../../helpers/image-generation";

const images = setUpImageSandbox();

test.each<[Provider, FaultName, string]>([
  ["fal", "image_30mb", "too large"],
  ["fal", "image_html", "not an image"],
  ["fal", "image_redirect", "blocked address"],
  ["replicate", "image_30mb", "too large"],
  ["replicate", "image_html", "not an image"],
  ["replicate", "image_redirect", "blocked address"],
  ["openai", "image_30mb", "too large"],
  ["openai", "image_html", "not an image"],
])("%s, %s: the image is not saved, because %s", async (provider, fault, reason) => {
  await images.order({ provider, fault });
  const { outcome } = await images.generate([provider], { n: 1 });
  const [image] = outcome.status === "generated" ? outcome.images : [];
  const { apiBase } = images.settingsOf(provider);
  expect(await fetchImage({ url: image?.url ?? "", apiBase })).toEqual({
    status: "failed",
    reason,
  });
});

test.each(PROVIDERS)("%s: a good image is fetched whole", async (provider) => {
  const { outcome } = await images.generate([provider], { n: 1 });
  const [image] = outcome.status === "generated" ? outcome.images : [];
  const fetched = await fetchImage({
    url: image?.url ?? "",
    apiBase: images.settingsOf(provider).apiBase,
  });
  expect(fetched).toMatchObject({ status: "fetched", contentType: "image/png" });
  expect(fetched.status === "fetched" && fetched.bytes.length).toBeGreaterThan(5_000);
});
