import { expect, test } from "vitest";
import { z } from "zod";
import { fieldConstraints } from "~/utils/field-constraints";

test("lengths and what is required become attributes, whatever is around the text", () => {
  const text = z.string().trim().min(2).max(9);
  const schema = z.object({
    plain: text,
    optional: text.optional(),
    piped: z.string().max(5).pipe(z.email()),
    free: z.string(),
  });
  expect(fieldConstraints(schema)).toEqual({
    plain: { required: true, minLength: 2, maxLength: 9 },
    optional: { required: false, minLength: 2, maxLength: 9 },
    piped: expect.objectContaining({ required: true, maxLength: 5 }),
    free: { required: true },
  });
});
