import { type Dialect, nearestNames, type ToolDefinition, ToolError } from "@haft/contract"

// Each is loaded when it is asked for: a call speaks one of them, if any.
const loaders = {
  haft: async () => (await import("./haft.js")).haft,
  asyar: async () => (await import("./asyar/asyar.js")).asyar,
  claw: async () => (await import("./claw/claw.js")).claw,
  a3s: async () => (await import("./a3s/a3s.js")).a3s,
  lobe: async () => (await import("./lobe/lobe.js")).lobe,
  anthropic: async () => (await import("./native/anthropic.js")).anthropic,
  openai: async () => (await import("./native/openai.js")).openai,
} as const satisfies Readonly<Record<string, () => Promise<Dialect>>>

export type DialectName = keyof typeof loaders

/** The systems whose names, arguments and results are spoken; the first is our own. */
export const dialectNames = Object.keys(loaders) as readonly DialectName[]

/** A dialect with every tool that may do its work; undefined for our own names. */
export async function dialectNamed(name: string): Promise<Dialect | undefined> {
  const dialect = await loadDialect(name)
  if (name === "haft") return undefined
  const [{ catalog }, own] = await Promise.all([import("@haft/tools"), dialectTools()])
  return { ...dialect, workers: [...catalog, ...own] }
}

/** The tools that only dialects reach. */
export async function dialectTools(): Promise<readonly ToolDefinition[]> {
  return (await import("./catalog.js")).dialectTools
}

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
