import * as z from "zod"

/** What can be known of the tool without running it. */
export const manifest = {
  // Permanent: it is in journals.
  id: "word_count",
  description: "Counts the words of a text file; counts no characters. Use when a length in words is wanted.",
  input: z.strictObject({ path: z.string().min(1).describe("The file, relative to the workspace") }),
  output: z.object({ words: z.int(), head: z.string().optional() }),
  // The files that a call touches: rules decide about them before it runs, and it gets a port for exactly these.
  reads: ({ path }) => [path],
  kind: "read",
}
