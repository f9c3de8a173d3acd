/** A generation as the page's loader returns it. Amounts are in credits. */
export interface ShownGeneration {
  id: string;
  prompt: string;
  n: number;
  status: string;
  images: { url: string; persisted: boolean }[];
  creditsCharged: number;
  error: string | null;
  createdAt: Date | string;
}
