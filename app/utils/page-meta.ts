import type { MetaFunction } from "@remix-run/node";
import { PRODUCT_NAME } from "~/catalog";

/** The `meta` of a page whose loader returns its translated `title`. */
export const pageMeta: MetaFunction = ({ data }) => {
  const title = (data as { title?: string } | undefined)?.title;
  return [{ title: title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME }];
};

/** The same for a page whose URL contains a secret: keeps the URL out of the `Referer` of later requests. */
export const linkPageMeta: MetaFunction = (args) => [
  ...(pageMeta(args) ?? []),
  { name: "referrer", content: "strict-origin" },
];
