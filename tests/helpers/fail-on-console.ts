import { afterEach, beforeEach, expect, vi } from "vitest";

/** The router of `createRemixStub` says this, and gives no way to set the flags. */
const isFutureFlag = ([text]: unknown[]) =>
  String(text).startsWith("⚠️ React Router Future Flag Warning");

/** A warning or error printed by a test's own process fails the test: nobody would read it. */
beforeEach(() => {
  vi.spyOn(console, "error");
  const { warn } = console;
  vi.spyOn(console, "warn").mockImplementation((...words) => {
    if (!isFutureFlag(words)) warn(...words);
  });
});

afterEach(() => {
  expect(vi.mocked(console.error).mock.calls, "console.error").toEqual([]);
  const ours = vi.mocked(console.warn).mock.calls.filter((words) => !isFutureFlag(words));
  expect(ours, "console.warn").toEqual([]);
  vi.restoreAllMocks();
});
