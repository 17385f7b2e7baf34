import { catalog } from "@haft/tools"
import { checkPlaces } from "../config/check-places.js"
import { checkFileRules, configuredOptions, configuredProgram } from "../config/configured-options.js"
import { loadConfiguration } from "../config/load-configuration.js"
import type { Places } from "../config/places.js"
import type { HaftOptions, ProgramOptions } from "./options.js"

interface ReadRequest {
  readonly places: Places
  readonly roots: readonly string[]
  /** What the program says: mode and sandbox as flags do, so that the managed file still has the last word. */
  readonly given: HaftOptions
}

/** Reads the configuration as the command line does. A file that cannot be understood stops the start. */
export async function readConfiguration({
  places,
  roots,
  given: { mode, sandbox, workspace },
}: ReadRequest): Promise<{ readonly options: HaftOptions; readonly program: ProgramOptions }> {
  checkPlaces(places, roots)
  const configuration = await loadConfiguration({
    env: process.env,
    places,
    roots,
    flags: { mode, sandbox: sandbox?.policy },
    defaultLimit: (tool) => catalog.find(({ manifest }) => manifest.id === tool)?.manifest.limit?.max,
  })
  const configured = { places, roots, directory: workspace?.directory ?? roots[0]!, configuration }
  await checkFileRules(configured)
  return { options: configuredOptions(configured, process.env), program: configuredProgram(configured) }
}
