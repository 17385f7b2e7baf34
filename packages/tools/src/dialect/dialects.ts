import { type Dialect, nearestNames, ToolError } from "@haft/contract"

// Each is loaded when it is asked for: a call speaks one of them, if any.
const loaders = {
  haft: async () => (await import("./haft.js")).haft,
  asyar: async () => (await import("./asyar.js")).asyar,
  claw: async () => (await import("./claw.js")).claw,
  a3s: async () => (await import("./a3s.js")).a3s,
  lobe: async () => (await import("./lobe.js")).lobe,
} as const satisfies Readonly<Record<string, () => Promise<Dialect>>>

/** The name of a dialect. */
export type DialectName = keyof typeof loaders

/** The systems whose names, arguments and results are spoken; the first is our own. */
export const dialectNames = Object.keys(loaders) as readonly DialectName[]

/** Loads one dialect; an unknown name is `invalid_args`. */
export async function loadDialect(name: string): Promise<Dialect> {
  if (Object.hasOwn(loaders, name)) return loaders[name as DialectName]()
  const [near] = nearestNames(name, dialectNames, 1)
  throw new ToolError(
    "invalid_args",
    `Cannot speak dialect "${name}": there is none of that name; use ${dialectNames.join(", ")}`,
    near === undefined ? {} : { hint: `Did you mean "${near}"?` },
  )
}
