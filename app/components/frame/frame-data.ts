import type { ActionKey } from "~/catalog";
import type { Locale } from "~/i18n/locale";
import type { Support } from "~/utils/support";
import type { Theme } from "~/utils/theme";

/** The features that are on here, as far as the frame's links show them. */
export interface Features {
  storage: boolean;
  images: boolean;
  text: boolean;
  payments: boolean;
  /** The actions that are on. */
  actions: ActionKey[];
}

/** The signed-in person, as every page may show them. */
interface FrameUser {
  email: string;
  name: string | null;
  balance: number;
  /** Whether the admin pages are there for them. */
  isAdmin: boolean;
  /** Whether the address waits to be verified by a mailed link. */
  lacksVerification: boolean;
  /** Credits that the person gets once the address is verified. */
  freeCredits: number;
}

/** The facts about the visitor and this installation that the frame shows. */
export interface FrameData {
  locale: Locale;
  /** Null for a visitor. `balance` is in credits. */
  user: FrameUser | null;
  theme: Theme;
  /** Whether the visitor was just signed out and the browser must drop the pages it kept. */
  forgetPages: boolean;
  features: Features;
  support: Support;
}
