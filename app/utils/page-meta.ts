import type { MetaFunction } from "@remix-run/node";

/** The `meta` of a page whose loader answers its translated `title`. */
export const pageMeta: MetaFunction = ({ data }) => {
  const title = (data as { title?: string } | undefined)?.title;
  return [{ title: title ? `${title} · Remix Credits Starter` : "Remix Credits Starter" }];
};
