import { afterEach, beforeEach, expect, vi } from "vitest";

/** The router of `createRemixStub` says this, and gives no way to set the flags. */
const FUTURE_FLAGS = "⚠️ React Router Future Flag Warning";

/** A warning or error printed by a test's own process fails the test: nobody would read it. */
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  expect(vi.mocked(console.error).mock.calls, "console.error").toEqual([]);
  const warnings = vi.mocked(console.warn).mock.calls;
  const ours = warnings.filter(([text]) => !String(text).startsWith(FUTURE_FLAGS));
  expect(ours, "console.warn").toEqual([]);
  vi.restoreAllMocks();
});
