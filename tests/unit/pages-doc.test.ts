import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readFolder } from "../../scripts/lib/read-files";

const page = readFileSync("docs/pages.md", "utf8");
const table = page.slice(page.indexOf("## Every page"));

/** The route that serves all addresses without a page. */
const EVERY_OTHER = "app/routes/$locale.$.tsx";

/** The address below the language of a route's file, with its parameters in braces. */
function addressOf(file: string): string {
  const parts = file.replace(/^app\/routes\/\$locale\.|\.tsx$/g, "").split(".");
  const names = parts
    .filter((part) => part !== "_index")
    .map((part) => part.replace(/_$/, "").replace(/^\$(\w+)$/, "{$1}"));
  return `/${names.join("/")}`;
}

test("docs/pages.md lists every page", () => {
  const addresses = readFolder("app/routes", /^app\/routes\/\$locale\..+\.tsx$/)
    .filter(({ file, text }) => file !== EVERY_OTHER && text.includes("export default"))
    .map(({ file }) => addressOf(file));
  expect(addresses).toContain("/account/orders/{orderId}");
  expect(addresses.filter((address) => !table.includes(`\`${address}\``))).toEqual([]);
});
