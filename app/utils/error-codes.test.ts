import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_STATUS } from "~/utils/error-codes";

test("docs/http-api.md lists every error code with its status, in the code's order", () => {
  const page = readFileSync("docs/http-api.md", "utf8");
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \| [^|]+ \|$/gm)];
  const documented = rows.map(([, code, status]) => [code, Number(status)]);
  expect(documented).toEqual(Object.entries(ERROR_STATUS));
});
