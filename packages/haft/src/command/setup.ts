import { resolve } from "node:path"
import { type Action, isInside, type PlacedRule, ToolError } from "@haft/contract"
import { checkPlaces, realPath } from "../config/check-places.js"
import { type Configuration, loadConfiguration } from "../config/load-configuration.js"
import { findPlaces, type Places, rootPlaces } from "../config/places.js"
import { checkLimits } from "./check-limits.js"
import { checkRecord } from "./check-record.js"
import type { Invocation } from "./invocation.js"
import { type Io, managedFile } from "./io.js"
import { note } from "./print.js"
import { toolDescriptions } from "./tool-descriptions.js"
import { warnings } from "./warnings.js"

/** Roots, places and configuration of one run. */
export interface Setup {
  readonly places: Places
  readonly roots: readonly string[]
  /** True when the roots were named rather than taken from the current directory. */
  readonly rootsNamed: boolean
  readonly directory: string
  readonly configuration: Configuration
}

/** Finds places and roots, checks them, and reads the configuration. */
export async function setUp(invocation: Invocation, io: Io): Promise<Setup> {
  const places = findPlaces(io.env, io.cwd, io.managedFile ?? managedFile)
  const named = invocation.list("root")
  const roots = [...new Set((named.length > 0 ? named : [io.cwd]).map((root) => realPath(resolve(io.cwd, root))))]
  checkPlaces(places, roots)
  const configuration = await loadConfiguration({
    env: io.env,
    places,
    roots,
    flags: {
      mode: invocation.text("mode"),
      model: invocation.text("model"),
      baseUrl: invocation.text("base-url"),
      language: invocation.text("lang"),
      sandbox: invocation.text("sandbox"),
    },
    defaultLimit: (tool) => toolDescriptions().find(({ id }) => id === tool)?.limit.max,
  })
  checkLimits(configuration)
  checkRecord(invocation.text("record"), configuration.values.get("model"), io)
  if (!invocation.quiet) {
    const said = await warnings(configuration, {
      env: io.env,
      flagRules: await flagRules(invocation),
      say: invocation.say,
    })
    for (const text of said) note(invocation, io, `note: ${text}`)
  }
  const cwd = realPath(io.cwd)
  const directory = roots.some((root) => isInside(cwd, root)) ? cwd : roots[0]!
  return { places, roots, rootsNamed: named.length > 0, directory, configuration }
}

/** The rules that the flags of this run make. */
export async function flagRules(invocation: Invocation): Promise<readonly PlacedRule[]> {
  const actions: readonly Action[] = ["allow", "deny", "ask"]
  if (actions.every((action) => invocation.list(action).length === 0)) return []
  const { parseRule } = await import("@haft/guard")
  return actions.flatMap((action) =>
    invocation.list(action).map((text) => ({ ...parseRule(text, action), source: { scope: "flag" as const } })),
  )
}

/** The current directory never becomes a wide root by itself. */
export async function checkWideRoot({ places, roots, rootsNamed }: Setup): Promise<void> {
  if (rootsNamed) return
  const { wideRoot } = await import("@haft/guard")
  const wide = wideRoot(roots[0]!, rootPlaces(places))
  if (!wide) return
  throw new ToolError("invalid_args", `Cannot use "${roots[0]}" as a root by default: ${wide}`, {
    hint: `Go to a project folder, or say it: --root ${roots[0]}`,
  })
}
