import { z } from "zod";
import { invalid } from "~/i18n/validation-key";

/** The body of POST /api/storage/confirm. */
export const confirmRequestSchema = z.object({
  fileId: z
    .string(invalid("fileIdInvalid"))
    .min(1, invalid("fileIdInvalid"))
    .meta({ description: "The id that the upload request returned." }),
});
