/** An image as the page's loader returns it. */
export interface ShownImage {
  index: number;
  url: string;
  persisted: boolean;
  fileId: string | null;
  /** Pixels; null where they are not known. */
  width: number | null;
  height: number | null;
  thumbnails: { url: string; width: number }[];
}

/** A generation as the page's loader returns it. Amounts are in credits. */
export interface ShownGeneration {
  id: string;
  prompt: string;
  n: number;
  size: string;
  status: string;
  cost: number;
  provider: string | null;
  images: ShownImage[];
  creditsCharged: number;
  balanceAfter: number | null;
  error: string | null;
  /** How long it took, or has taken so far. */
  seconds: number;
  /** Its process died; its credits come back by maintenance. */
  isAbandoned: boolean;
  createdAt: Date | string;
}

/** A generation that was just sent, or that the server works on. */
export interface RunningGeneration {
  n: number;
  size: string;
  prompt: string;
  seconds: number;
}
