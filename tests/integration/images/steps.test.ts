import { expect, test } from "vitest";
import { PROVIDERS } from "../../../scripts/sandbox/images/faults";
import { NEXT, setUpImageSandbox } from "../../helpers/image-generation";

const images = setUpImageSandbox();

test.each(PROVIDERS)("%s: a passing 429 is waited out as it asks", async (provider) => {
  await images.order({ provider, fault: "429", retryAfter: 0.05 });
  const began = performance.now();
  const { outcome } = await images.generate([provider, NEXT[provider]]);
  expect(performance.now() - began).toBeGreaterThanOrEqual(50);
  expect(outcome).toMatchObject({ status: "generated", provider });
  expect((await images.calls())[provider].generate).toBe(2);
});

test.each(PROVIDERS)(
  "%s: a 429 for longer than there is time goes on at once",
  async (provider) => {
    await images.order({ provider, fault: "429", retryAfter: 3600 });
    const { outcome } = await images.generate([provider, NEXT[provider]]);
    expect(outcome).toMatchObject({ status: "generated", provider: NEXT[provider] });
    expect((await images.calls())[provider].generate).toBe(1);
  },
);

test.each([
  ["502", false, "ambiguous"],
  ["503", false, "ambiguous"],
  ["429", false, "auth"],
  ["500", true, "transient"],
  ["422", true, "transient"],
  ["403", true, "auth"],
  ["503", true, "transient"],
] as const)("fal's %s with X-Fal-Retryable: %s is %s", async (fault, retryable, verdict) => {
  await images.order({ provider: "fal", fault, retryable });
  const { attempts } = await images.generate(["fal", "replicate"]);
  expect(attempts[0]).toMatchObject({ provider: "fal", class: verdict });
});

test("after two ambiguous attempts no provider is called any more", async () => {
  await images.order({ provider: "fal", fault: "reset", times: 9 });
  await images.order({ provider: "replicate", fault: "invalid_json", times: 9 });
  const { outcome } = await images.generate(["fal", "replicate", "openai"]);
  expect(outcome).toEqual({ status: "failed" });
  const { fal, replicate, openai } = await images.calls();
  expect([fal.generate, replicate.generate, openai.generate]).toEqual([1, 1, 0]);
});

test("a provider that hangs leaves as much time for the one further attempt, and no more", async () => {
  await images.order({ provider: "fal", fault: "hang", times: 9 });
  const began = performance.now();
  const { outcome } = await images.generate(["fal"], { deadlineMs: 6_000 });
  const elapsed = performance.now() - began;
  expect(outcome).toEqual({ status: "failed" });
  expect((await images.calls()).fal.generate).toBe(2);
  expect(elapsed).toBeGreaterThan(5_900);
  // One that hung would be waited for until its own time limit.
  expect(elapsed).toBeLessThan(30_000);
});

test("a slow prediction is looked at until it is done", async () => {
  await images.order({ provider: "replicate", fault: "slow_prediction" });
  const { outcome } = await images.generate(["replicate"]);
  expect(outcome).toMatchObject({ status: "generated", images: [{}, {}] });
  expect((await images.calls()).replicate).toMatchObject({ generate: 1, poll: 2, cancel: 0 });
});

test("a request in fal's queue is looked at until it is done, and cancelled if it hangs", async () => {
  await images.order({ provider: "fal", fault: "slow_prediction" });
  expect((await images.generate(["fal"])).outcome).toMatchObject({ images: [{}, {}] });
  expect((await images.calls()).fal).toMatchObject({ generate: 1, paid: 1, poll: 2, cancel: 0 });
  await images.order({ provider: "fal", fault: "hanging_poll" });
  const { attempts } = await images.generate(["fal", "replicate"], { deadlineMs: 3_000 });
  expect(attempts[0]).toMatchObject({ class: "ambiguous", reason: "time-out" });
  expect((await images.calls()).fal).toMatchObject({ generate: 2, cancel: 1 });
});

test("a prediction that hangs is cancelled", async () => {
  await images.order({ provider: "replicate", fault: "hanging_poll" });
  const { attempts } = await images.generate(["replicate", "fal"], { deadlineMs: 3_000 });
  expect(attempts[0]).toMatchObject({ class: "ambiguous", reason: "time-out" });
  const { replicate } = await images.calls();
  expect(replicate.poll).toBeGreaterThan(1);
  expect(replicate.cancel).toBe(1);
});

const ONE_AT_A_TIME = { model: "black-forest-labs/flux-1.1-pro" };

test("a model that draws one image a call is called once for each", async () => {
  const { outcome } = await images.generate(["replicate"], { n: 3, settings: ONE_AT_A_TIME });
  expect((await images.calls()).replicate.generate).toBe(3);
  expect(outcome).toMatchObject({ status: "generated" });
  const urls = outcome.status === "generated" ? outcome.images.map(({ url }) => url) : [];
  expect(new Set(urls).size).toBe(3);
});

test("of several calls for one image each, those that succeed are delivered", async () => {
  await images.order({ provider: "replicate", fault: "503" });
  const { outcome } = await images.generate(["replicate"], { n: 3, settings: ONE_AT_A_TIME });
  expect(outcome).toMatchObject({ status: "generated", images: [{}, {}] });
});

test("of several calls for one image each, those that ended in time are delivered", async () => {
  await images.order({ provider: "replicate", fault: "hanging_poll" });
  const { outcome } = await images.generate(["replicate"], {
    n: 3,
    settings: ONE_AT_A_TIME,
    deadlineMs: 3_000,
  });
  expect(outcome).toMatchObject({ status: "generated", images: [{}, {}] });
  expect((await images.calls()).replicate).toMatchObject({ generate: 3 });
});

test("of several calls, one whose outcome is unknown counts although another was accepted", async () => {
  await images.order({ provider: "replicate", fault: "reset" });
  await images.order({ provider: "replicate", fault: "high_demand" });
  const { attempts } = await images.generate(["replicate", "fal"], { settings: ONE_AT_A_TIME });
  expect(attempts[0]).toMatchObject({ provider: "replicate", class: "ambiguous" });
});

test("of several calls that all fail, a refusal decides", async () => {
  await images.order({ provider: "replicate", fault: "reset" });
  await images.order({ provider: "replicate", fault: "refusal" });
  const { outcome } = await images.generate(["replicate", "fal"], { settings: ONE_AT_A_TIME });
  expect(outcome).toEqual({ status: "refused" });
  expect((await images.calls()).fal.generate).toBe(0);
});
