import { z } from "zod";

/** How the stand-in behaves; its remote control changes it. */
export const modeSchema = z.object({
  /** Siteverify's response about a good token. `timeout` never responds; `down` returns 503. */
  verdict: z.enum(["pass", "fail", "timeout", "down"]).default("pass"),
  /** Whether the box in the browser passes by itself, waits for a click, or shows an error. */
  widget: z.enum(["pass", "click", "error"]).default("pass"),
});
export type Mode = z.output<typeof modeSchema>;
