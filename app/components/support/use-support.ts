import { useRouteLoaderData } from "@remix-run/react";
import type { FrameData } from "~/components/frame/frame-data";
import { useRenderContext } from "~/components/render-context";
import type { Support } from "~/utils/support";

/** Where somebody can be reached. Known on error pages, too. */
export function useSupport(): Support {
  const frame = useRouteLoaderData<FrameData>("routes/$locale");
  const { site } = useRenderContext();
  return frame?.support ?? site.support;
}
