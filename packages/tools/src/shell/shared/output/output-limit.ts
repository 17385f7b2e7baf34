/** How much a command may print into its result; the port keeps the whole in a file. */
export const outputLimit = {
  unit: "bytes",
  max: 200_000,
  past: "sidecar",
  fields: ["stdout", "stderr"],
  keep: "head-and-tail",
} as const
