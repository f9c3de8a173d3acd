import type { Features } from "~/components/frame/frame-data";
import { getEnv } from "~/env.server";
import { actionsOn } from "~/models/actions/registry.server";
import type { Support } from "~/utils/support";

/** Returns what the configuration says of every page's frame. */
export function siteFacts(): { features: Features; support: Support } {
  const { storage, images, text, payments, support } = getEnv();
  return {
    features: {
      storage: storage.enabled,
      images: images.enabled,
      text: text.enabled,
      payments: payments.enabled,
      actions: actionsOn(),
    },
    support,
  };
}
