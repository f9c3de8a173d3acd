import type { Locale } from "~/i18n/locale";
import type { Theme } from "~/utils/theme";

/** The features that are on here, as far as the frame's links show them. */
export interface Features {
  storage: boolean;
  images: boolean;
  payments: boolean;
}

/** The facts about the visitor and this installation that the frame shows. */
export interface FrameData {
  locale: Locale;
  /** Null for a visitor. `balance` is in credits. */
  user: { email: string; name: string | null; balance: number } | null;
  theme: Theme;
  /** Whether the visitor was just signed out and the browser must drop the pages it kept. */
  forgetPages: boolean;
  features: Features;
}
