import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { CardTable } from "~/components/ui/card-table";

const html = renderToStaticMarkup(
  <CardTable
    caption="Files"
    rows={[{ id: "1", name: "cat.png", size: 70 }]}
    keyOf={({ id }) => id}
    columns={[
      { label: "Name", kind: "title", cell: ({ name }) => name },
      { label: "Size", kind: "number", cell: ({ size }) => <data value={size}>{size} B</data> },
      { label: "Actions", kind: "actions", cell: () => <a href="/delete">Delete</a> },
    ]}
  />,
);
const body = html.slice(html.indexOf("<tbody"));

test("a table has its name and its columns' for screen readers", () => {
  expect(html).toContain('<caption class="sr-only">Files</caption>');
  expect(html.match(/<th scope="col"[^>]*>[^<]+/g)?.map((cell) => cell.replace(/.*>/, ""))).toEqual(
    ["Name", "Size", "Actions"],
  );
});

test("a row is named by its title", () => {
  expect(body).toMatch(/<th scope="row"[^>]*>cat\.png<\/th>/);
});

test("a card labels its values, but neither its title nor its actions", () => {
  expect(
    body.match(/<span class="[^"]*sm:hidden">[^<]*/g)?.map((it) => it.replace(/.*>/, "")),
  ).toEqual(["Size"]);
});
