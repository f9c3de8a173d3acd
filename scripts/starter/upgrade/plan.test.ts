import { expect, test } from "vitest";
import { compareVariables } from "./plan";

const compare = (base: string[], ours: string[], theirs: string[]) => {
  const text = (names: string[]) => names.map((name) => `# ${name}=\n`).join("");
  return compareVariables({ base: text(base), ours: text(ours), theirs: text(theirs) });
};

test("a variable is new or gone by what the starter changed, whatever the product made of its own", () => {
  const base = ["KEPT", "PRICE_STARTER", "OLD"];
  const ours = ["KEPT", "PRICE_WRITER", "EDITOR_API_KEY", "OLD"];
  expect(compare(base, ours, base)).toEqual({ added: [], gone: [] });
  expect(compare(base, ours, ["KEPT", "PRICE_STARTER", "NEW"])).toEqual({
    added: ["NEW"],
    gone: ["OLD"],
  });
});

test("a new variable that the product has already is not new", () => {
  expect(compare(["A"], ["A", "B"], ["A", "B"])).toEqual({ added: [], gone: [] });
});

test("what the starter sells anew or no longer is nothing to a product with a catalog of its own", () => {
  const [month, product] = ["PROVIDER_A_PRICE_PRO_MONTHLY", "PROVIDER_B_PRODUCT_CREDITS_SMALL"];
  expect(compare([month], ["PROVIDER_A_PRICE_WRITER_MONTHLY"], [product])).toEqual({
    added: [],
    gone: [],
  });
});
