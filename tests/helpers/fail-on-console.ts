import { afterEach, beforeEach, expect, vi } from "vitest";

/** What a test's own process prints as a warning or error is a defect: nobody would read it. */
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  expect(vi.mocked(console.error).mock.calls, "console.error").toEqual([]);
  expect(vi.mocked(console.warn).mock.calls, "console.warn").toEqual([]);
  vi.restoreAllMocks();
});
