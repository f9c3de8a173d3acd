import { z } from "zod";

/** The API's body of an action whose result grows. */
export const growingBody = (schema: z.ZodObject) =>
  schema.extend({
    stream: z.boolean().default(false).meta({ description: "Send the text while it is written." }),
  });
