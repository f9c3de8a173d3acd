import { accountFloods } from "./account-floods";
import type { Flood } from "./flood";
import { pageFloods } from "./page-floods";
import { uploadFloods } from "./upload-floods";

/** Every flood that the bench plays, by name. */
export const floods: Record<string, Flood> = { ...uploadFloods, ...accountFloods, ...pageFloods };
