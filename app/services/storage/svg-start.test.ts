import fc from "fast-check";
import { expect, test } from "vitest";
import { beginsSvg } from "~/services/storage/svg-start";

test.each([
  "<svg/>",
  '<svg xmlns="http://www.w3.org/2000/svg">',
  '\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<svg>',
  '<?xml version="1.0"?><?xml-stylesheet href="a.css"?>\n<svg>',
  '<!-- made by hand --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg>',
  '<!DOCTYPE svg [ <!ENTITY a "b"> ]>\n<svg>',
  "<!DOCTYPE svg><svg\n",
  "<!-- a > b -- c --><!---->\n<svg/>",
  "  \n<SVG>",
])("%j begins an SVG", (text) => {
  expect(beginsSvg(text)).toBe(true);
});

test.each([
  "",
  "svg",
  "<svg",
  "<html><svg>",
  "<svgx>",
  "text <svg>",
  "<!DOCTYPE html><svg>",
  "<!DOCTYPE svgx><svg>",
  "<!DOCTYPEsvg><svg>",
  "<!DOCTYPE svg [ ]<svg/",
  "<!-- never closed <svg>",
  "<!--> <svg>",
  "<?php echo 1 ?><svg>",
  "<script/><svg>",
])("%j begins no SVG", (text) => {
  expect(beginsSvg(text)).toBe(false);
});

/** Texts that made the former regular expression run for hours, or that would invite backtracking. */
const HOSTILE: Record<string, string> = {
  doctypes: "<!DOCTYPE svg aaaaaaaaaa>",
  "doctypes with a subset": "<!DOCTYPE svg a[b]a>",
  "open subsets": "<!DOCTYPE svg [",
  "open comments": "<!--",
  "short comments": "<!---->",
  instructions: "<?xml ?>",
  "open instructions": "<?xml ",
  spaces: " \n\t\u00a0",
  "near ends": "<!-- -- ->",
  "open doctypes": "<!DOCTYPE svg ",
};

test.each(Object.entries(HOSTILE))("a megabyte of %s is refused in linear time", (_name, piece) => {
  const began = performance.now();
  expect(beginsSvg(`${piece.repeat(1_000_000 / piece.length)}x`)).toBe(false);
  // A quadratic scan of a megabyte takes minutes; this one takes milliseconds.
  expect(performance.now() - began).toBeLessThan(2_000);
});

test("any mixture of markup is decided, by the markup before the root", () => {
  const prolog = fc.constantFrom(
    " ",
    "<!-- x -->",
    "<?xml a?>",
    "<!DOCTYPE svg>",
    "<!DOCTYPE svg a[<b>]>",
  );
  const junk = fc.constantFrom(
    "<!--",
    "<!DOCTYPE svg [",
    "<?xml",
    "<a>",
    "]>",
    "<!DOCTYPE a>",
    "x",
  );
  fc.assert(
    fc.property(fc.array(prolog), junk, (pieces, other) => {
      const before = pieces.join("");
      return beginsSvg(`${before}<svg>`) && !beginsSvg(before + other);
    }),
  );
});
