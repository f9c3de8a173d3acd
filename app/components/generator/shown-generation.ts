import type { GalleryImage } from "~/models/images/gallery-image";

/** A generation as the page's loader returns it. Amounts are in credits. */
export interface ShownGeneration {
  id: string;
  prompt: string;
  n: number;
  size: string;
  status: string;
  cost: number;
  provider: string | null;
  /** Providers that were asked before and delivered nothing. */
  passedOver: string[];
  images: GalleryImage[];
  creditsCharged: number;
  balanceAfter: number | null;
  error: string | null;
  /** How long it took, or has taken so far. */
  seconds: number;
  /** Its process died; its credits come back by maintenance. */
  isAbandoned: boolean;
  createdAt: Date | string;
}

/** The generation in the canvas. */
export interface CanvasGeneration extends ShownGeneration {
  /** Whether its owner has begun none since. */
  isLatest: boolean;
}

/** A generation that was just sent, or that the server works on. */
export interface RunningGeneration {
  n: number;
  size: string;
  prompt: string;
  seconds: number;
}
