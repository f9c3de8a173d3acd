import fc from "fast-check";
import { expect, test } from "vitest";
import { findSvgFault } from "~/services/storage/svg-fault.server";
import {
  SVG_ATTRIBUTES,
  SVG_ELEMENTS,
  SVG_TEXT_ATTRIBUTES,
} from "~/services/storage/svg-vocabulary";

/** A drawing that holds this. */
const svg = (inside: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`;

test.each([
  "<svg/>",
  '<?xml version="1.0" encoding="UTF-8"?>\n<!-- by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:rect/></s:svg>',
  svg(
    '<path d="M0 0L10 10" fill="#f00" transform="translate (1 2) rotate(45)"/>',
    'viewBox="0 0 1 1"',
  ),
  svg('<defs><linearGradient id="a"/></defs><rect fill="url(#a)" stroke="url( \'#a\' )"/>'),
  svg('<symbol id="b"/><use href="#b"/><use xlink:href="#b" xlink:title="A (copy)"/>'),
  svg('<style type="text/css"><![CDATA[.c > g{fill:rgb(1,2,3);mask:URL("#m")}]]></style>'),
  svg('<g id="Layer 1 (copy)" aria-label="mail@example.com" data-name="\\" xml:space="preserve"/>'),
  svg('<image href="data:image/png;base64,iVBORw0KGgo=" width="1"/>'),
  svg('<text font-family="Inter">a &lt; b &#x1F98A; javascript: @import url(//x)</text>'),
  svg("<g>".repeat(99) + "</g>".repeat(99)),
])("%j only draws", async (text) => {
  expect(await findSvgFault(text)).toBe(null);
});

test.each([
  ["<script>alert(1)</script>", "the element script"],
  ["<g><g><script/></g></g>", "the element script"],
  ["<SCRIPT/>", "the element SCRIPT"],
  ['<x:script xmlns:x="http://www.w3.org/2000/svg"/>', "the element x:script"],
  ['<x:script xmlns:x="http://www.w3.org/1999/xhtml"/>', "the element x:script"],
  ['<x:rect xmlns:x="http://www.w3.org/1999/xhtml"/>', "the element x:rect"],
  ['<rect xmlns="http://www.w3.org/1999/xhtml"/>', "the element rect"],
  ["<foreignObject><p/></foreignObject>", "the element foreignObject"],
  ['<a href="#x"/>', "the element a"],
  ['<animate attributeName="href" to="javascript:alert(1)"/>', "the element animate"],
  ['<set attributeName="onload" to="alert(1)"/>', "the element set"],
  ['<feImage href="#a"/>', "the element feImage"],
  ["<iframe/>", "the element iframe"],
  ['<rect onclick="alert(1)"/>', "the attribute onclick"],
  ['<rect OnLoad="alert(1)"/>', "the attribute OnLoad"],
  ['<rect xml:base="https://evil.example/"/>', "the attribute xml:base"],
  ['<rect x:href="#a" xmlns:x="https://evil.example/"/>', "the attribute x:href"],
  ['<use src="#a"/>', "the attribute src"],
  ['<use href="https://evil.example/a.svg#b"/>', "its attribute href"],
  ['<use xlink:href="//evil.example/a.svg#b"/>', "its attribute xlink:href"],
  ['<use x:href="a.svg#b" xmlns:x="http://www.w3.org/1999/xlink"/>', "its attribute x:href"],
  ['<use href="a.svg"/>', "its attribute href"],
  ['<use href=""/>', "its attribute href"],
  ['<use href="&#106;avascript&colon;x"/>', "well-formed"],
  ['<use href="&#106;avascript:x"/>', "its attribute href"],
  ['<use href="data:image/png;base64,AAAA"/>', "its attribute href"],
  ['<image href="data:image/svg+xml;base64,AAAA"/>', "its attribute href"],
  ['<image href="data:text/html,x"/>', "its attribute href"],
  ['<image href="file:///etc/passwd"/>', "its attribute href"],
  ['<rect fill="url(https://evil.example)"/>', "its attribute fill"],
  ['<rect fill="url(&#x2f;&#x2f;evil.example)"/>', "its attribute fill"],
  ['<rect fill="url(#a) url(//b)"/>', "its attribute fill"],
  ['<rect fill="url(#a"/>', "its attribute fill"],
  ['<rect fill="url(\'#a)"/>', "its attribute fill"],
  ['<rect filter="UrL( //b )"/>', "its attribute filter"],
  ["<rect style=\"background:image-set('//b' 1x)\"/>", "its attribute style"],
  ['<rect style="fill:u\\72l(//b)"/>', "its attribute style"],
  ['<rect style="width:expression(alert(1))"/>', "its attribute style"],
  ["<style>@import '//b';</style>", "a style refers"],
  ["<style><![CDATA[@font-face{src:local(x)}]]></style>", "a style refers"],
  ["<style>a{fill:u<!-- -->rl(//b)}</style>", "a style refers"],
  ["<style>a{fill:url<![CDATA[(//b)]]>}</style>", "a style refers"],
  ["<style>a{fill:&#117;rl(//b)}</style>", "a style refers"],
  ["<style>a{fill:url(/**/#b)}</style>", "a style refers"],
  ["<style><g/></style>", "an element stands in a style"],
  ["<?xml-stylesheet href='//b'?>", "a processing instruction"],
  ["<g>".repeat(100) + "</g>".repeat(100), "nested more than 100 deep"],
  ["&lol;", "well-formed"],
  ["<g", "well-formed"],
  ["</g>", "well-formed"],
  ['<g id="a" id="b"/>', "well-formed"],
  ["<g id=a />", "well-formed"],
  ["\u0000", "well-formed"],
])("%j in a drawing is refused", async (inside, fault) => {
  expect(await findSvgFault(svg(inside))).toContain(fault);
});

test.each([
  ["", "well-formed"],
  ["a picture", "well-formed"],
  ["<svg>", "well-formed"],
  ["<svg/><svg/>", "well-formed"],
  ["<SVG/>", "its first element isn't svg"],
  ["<g><svg/></g>", "its first element isn't svg"],
  ['<html xmlns="http://www.w3.org/1999/xhtml"/>', "its first element isn't svg"],
  ['<svg xmlns="http://www.w3.org/1999/xhtml"/>', "the element svg"],
  ["<!DOCTYPE svg><svg/>", "a DOCTYPE"],
  ['<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg/>', "a DOCTYPE"],
  ['<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', "a DOCTYPE"],
  ['<?xml-stylesheet href="a.css"?><svg/>', "a processing instruction"],
  ['<?xml version="1.1"?><svg/>', "XML 1.0 in UTF-8"],
  ['<?xml version="1.0" encoding="ISO-2022-JP"?><svg/>', "XML 1.0 in UTF-8"],
])("%j is refused", async (text, fault) => {
  expect(await findSvgFault(text)).toContain(fault);
});

const known = fc.constantFrom(...SVG_ELEMENTS).filter((name) => name !== "style");

test("whatever known elements stand in one another, with whatever known attributes, is a drawing", async () => {
  const attributes = fc.dictionary(fc.constantFrom(...SVG_ATTRIBUTES), fc.nat());
  const element = fc.tuple(known, attributes, fc.boolean());
  await fc.assert(
    fc.asyncProperty(fc.array(element, { maxLength: 40 }), async (elements) => {
      const inside = elements.reduce((before, [name, given, holdsIt]) => {
        const written = Object.entries(given).map(([key, value]) => ` ${key}="${value}"`);
        const open = `<${name}${written.join("")}>`;
        return holdsIt ? `${open}${before}</${name}>` : `${before}${open}</${name}>`;
      }, "");
      return (await findSvgFault(svg(inside))) === null;
    }),
  );
});

test("one unknown element or attribute is found, wherever it stands", async () => {
  const name = fc.stringMatching(/^[a-zA-Z][\w-]{0,12}$/);
  const depth = fc.nat({ max: 90 });
  await fc.assert(
    fc.asyncProperty(name, depth, fc.boolean(), async (unknown, at, isElement) => {
      fc.pre(![SVG_ELEMENTS, SVG_ATTRIBUTES, SVG_TEXT_ATTRIBUTES].some((set) => set.has(unknown)));
      fc.pre(!/^(?:href|xmlns)$/.test(unknown));
      const core = isElement ? `<${unknown}/>` : `<g ${unknown}="1"/>`;
      const text = svg("<g>".repeat(at) + core + "</g>".repeat(at));
      return (await findSvgFault(text))?.includes(unknown) ?? false;
    }),
  );
});

test("any text is judged, and none makes the check throw", async () => {
  const markup = fc.constantFrom(
    ..."<svg <g <style </ > /> ]]> <![CDATA[ <!-- --> <!DOCTYPE svg [ url( ) # \" ' & &#x3c; = xmlns".split(
      " ",
    ),
  );
  const texts = fc.array(fc.oneof(markup, fc.string({ unit: "binary", maxLength: 4 })), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(texts, async (pieces) => {
      const fault = await findSvgFault(svg(pieces.join("")));
      return fault === null || fault.length > 0;
    }),
  );
});

const HOSTILE: Record<string, string> = {
  "open elements": "<g>",
  brackets: "(",
  "open addresses": "url(",
  words: "<g fill='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'/>",
  comments: "<!-- -- -->",
  characters: "&amp;",
};

test.each(Object.entries(HOSTILE))(
  "a megabyte of %s is judged in linear time",
  async (_name, piece) => {
    const megabyte = piece.repeat(1_000_000 / piece.length);
    for (const text of [
      svg(megabyte),
      svg(`<style>${megabyte}</style>`),
      svg(`<g d='${megabyte}'/>`),
    ]) {
      const began = performance.now();
      await findSvgFault(text);
      // A quadratic check of a megabyte takes minutes.
      expect(performance.now() - began).toBeLessThan(30_000);
    }
  },
);

test("the process serves others while a long drawing is checked", async () => {
  const text = svg('<path d="M0 0L10 10" fill="#f00"/>'.repeat(30_000));
  const checked = findSvgFault(text);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  expect(await checked).toBe(null);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});
