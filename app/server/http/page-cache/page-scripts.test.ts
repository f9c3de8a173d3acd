import { expect, test } from "vitest";
import { ownScripts } from "./page-scripts";

test.each([
  ["<p>no script</p>", []],
  ['<script type="module" src="/passkeys.js"></script>', ["/passkeys.js"]],
  ['<SCRIPT src="/a.js"></SCRIPT><script async src="/b.js"></script>', ["/a.js", "/b.js"]],
  ['<script src="/a.js"></script><script src="/a.js"></script>', ["/a.js"]],
  ["<script>alert(1)</script>", null],
  ["<scripted>", []],
  ['<script type="application/ld+json">{"a":1}</script><script src="/a.js"></script>', ["/a.js"]],
  ['<script type="application/ld+json" id="a">{}</script>', null],
  ['<script src="https://evil.example/a.js"></script>', null],
  ['<script src="//evil.example/a.js"></script>', null],
  ['<script data-src="/a.js">alert(1)</script>', null],
  ['<script src="/a.js; script-src *"></script>', null],
  ['<script src="/a.js"></script><script>alert(1)</script>', null],
])("the scripts of %s are %j", (html, scripts) => {
  expect(ownScripts(html)).toEqual(scripts);
});
