import { ACTIONS, type ActionKey } from "~/catalog";
import type { IconName } from "~/components/ui/icon";

interface ActionView {
  icon: IconName;
  /** The page of a run, without its locale. */
  pageOf: (runId: string) => string;
  /** The keys of its texts. */
  words: {
    /** As a heading: "Images". */
    name: string;
    /** So many units: "4 images". */
    units: string;
    /** So many units that were paid for and came to nothing, in a refund: "1 image couldn't be made". */
    unused: string;
  };
}

/** How pages show each action. An action without its entry does not compile, nor one without its texts. */
export const ACTION_VIEWS = {
  image: {
    icon: "image",
    pageOf: (runId) => `${ACTIONS.image.page}?generation=${runId}`,
    words: {
      name: "actions.image.name",
      units: "actions.image.units",
      unused: "actions.image.unused",
    },
  },
  text: {
    icon: "doc",
    pageOf: (runId) => `${ACTIONS.text.page}?run=${runId}`,
    words: {
      name: "actions.text.name",
      units: "actions.text.units",
      unused: "actions.text.unused",
    },
  },
} as const satisfies Record<ActionKey, ActionView>;
