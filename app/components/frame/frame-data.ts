import type { Locale } from "~/i18n/locale";
import type { Theme } from "~/utils/theme";

/** What is on here, as far as the frame's links show it. */
export interface Features {
  storage: boolean;
  images: boolean;
  payments: boolean;
}

/** What the frame shows of the visitor and of this installation. */
export interface FrameData {
  locale: Locale;
  /** Null for a visitor. `balance` is in credits. */
  user: { email: string; name: string | null; balance: number } | null;
  theme: Theme;
  /** Whether the visitor was just signed out and the browser must drop the pages it kept. */
  forgetPages: boolean;
  features: Features;
}
