import type { MetaFunction } from "@remix-run/node";
import { PRODUCT_NAME } from "~/catalog";

/** The `meta` of a page whose loader answers its translated `title`. */
export const pageMeta: MetaFunction = ({ data }) => {
  const title = (data as { title?: string } | undefined)?.title;
  return [{ title: title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME }];
};
