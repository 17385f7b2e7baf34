import * as z from "zod"

/**
 * The output schema of a tool with these fields. Every output may also carry `head`, which the runtime sets when the
 * output passed the tool's limit: the first part of what the model reads.
 */
export function outputSchema<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...shape, head: z.string().optional() })
}
