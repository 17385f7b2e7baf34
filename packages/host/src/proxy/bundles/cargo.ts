import { readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { findOwnProgram } from "../../sandbox/environment/find-own-program.js"
import { ask, entriesOf, type Machine, type FoundSetting, textOf } from "./machine.js"

/** The registries of cargo: configured ones, those it fetched from before, and the one it was made with. */
export async function cargoAddresses(machine: Machine): Promise<readonly FoundSetting[]> {
  const folder = machine.variables.CARGO_HOME ?? join(machine.home, ".cargo")
  const settings = ["config.toml", "config"].map((name) => textOf(join(folder, name))).join("\n")
  const configured = [...settings.matchAll(/^\s*(?:registry|index|dl)\s*=\s*["']([^"']+)["']/gm)].map(([, url]) => url!)
  const known = entriesOf(join(folder, "registry", "index")).flatMap(downloadsOf)
  const replaced = /^\s*\[source\.["']?crates-io["']?\]/m.test(settings)
  const certificates = /^\s*cainfo\s*=\s*["']([^"']+)["']/m.exec(settings)?.[1]
  return [
    ...(certificates === undefined ? [] : [{ certificates }]),
    ...configured,
    ...registriesIn(settings),
    ...known,
    ...(replaced ? [] : await builtIn(machine)),
  ]
}

/** Registries that have a name; only these can be told by a variable. */
function registriesIn(settings: string): readonly FoundSetting[] {
  const blocks = settings.matchAll(/^\s*\[registries\.["']?([\w-]+)["']?\]([^[]*)/gm)
  return [...blocks].flatMap(([, name, block]) => {
    const address = /^\s*index\s*=\s*["']([^"']+)["']/m.exec(block!)?.[1]
    const prefix = `CARGO_REGISTRIES_${name!.toUpperCase().replaceAll("-", "_")}`
    // A registry may say that it wants a token; then cargo asks nothing without one, whatever it is.
    const besides = { [`${prefix}_CREDENTIAL_PROVIDER`]: "cargo:token", [`${prefix}_TOKEN`]: "kept-outside-the-wall" }
    return address === undefined ? [] : [{ address, variables: [`${prefix}_INDEX`], besides }]
  })
}

/** An index names the host of its files in `config.json`. */
function downloadsOf(index: string): readonly string[] {
  return [...textOf(join(index, "config.json")).matchAll(/"(?:dl|api)"\s*:\s*"([^"{]+)/g)].map(([, url]) => url!)
}

/**
 * The index that is written into the program itself. Where its files are is known only after the first answer, so the
 * hosts beside it are included.
 */
async function builtIn(machine: Machine): Promise<readonly string[]> {
  const cargo = findOwnProgram("cargo", machine.searchPath, machine.roots)
  if (cargo === undefined) return []
  const rustup = findOwnProgram("rustup", machine.searchPath, machine.roots)
  const program = rustup === undefined ? cargo : (await ask(rustup, ["which", "cargo"], machine)).trim() || cargo
  const found = /sparse\+https:\/\/[\w.-]+\//.exec(readFileSync(realpathSync(program), "latin1"))?.[0]
  if (found === undefined) return []
  const { hostname } = new URL(found.slice("sparse+".length))
  const parent = hostname.split(".").slice(1).join(".")
  return [`https://${hostname}`, ...(parent.includes(".") ? [`https://*.${parent}`] : [])]
}
