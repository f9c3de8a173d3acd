import { expect, test } from "vitest";
import { constantJson } from "~/server/site/constant-document.server";

test("the document is made at the first request, and once", async () => {
  let made = 0;
  const response = constantJson(() => ({ made: ++made }));
  expect(made).toBe(0);
  expect(await response().json()).toEqual({ made: 1 });
  expect(await response().json()).toEqual({ made: 1 });
});
