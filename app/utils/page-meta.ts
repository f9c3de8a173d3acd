import type { MetaFunction } from "@remix-run/node";
import { PRODUCT_NAME } from "~/catalog";

/** The `meta` of a page whose loader answers its translated `title`. */
export const pageMeta: MetaFunction = ({ data }) => {
  const title = (data as { title?: string } | undefined)?.title;
  return [{ title: title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME }];
};

/** The same for a page whose address carries a secret: it is left out of the `Referer` of what follows. */
export const linkPageMeta: MetaFunction = (args) => [
  ...(pageMeta(args) ?? []),
  { name: "referrer", content: "strict-origin" },
];
