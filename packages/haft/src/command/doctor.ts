import { resolve } from "node:path"
import { visibleLine } from "@haft/guard"
import { unlessAborted } from "@haft/host"
import { realPath } from "../config/check-places.js"
import { findPlaces } from "../config/places.js"
import { installGit } from "../git/install-git.js"
import { gitBuild } from "../git/install-missing-git.js"
import { installedGitFolder } from "../git/installed-git-folder.js"
import { columns } from "../terminal/columns.js"
import type { Style } from "../terminal/style.js"
import type { Run } from "./command.js"
import { boxChecks } from "./doctor/box-checks.js"
import { type Check, type DoctorRequest, failed, searchPathOf, signalOf } from "./doctor/check.js"
import { configurationChecks } from "./doctor/configuration-checks.js"
import { journalCheck } from "./doctor/journal-check.js"
import { machineChecks } from "./doctor/machine-checks.js"
import { placeChecks } from "./doctor/place-checks.js"
import { sandboxChecks } from "./doctor/sandbox-checks.js"
import { searchCheck } from "./doctor/search-check.js"
import { serviceChecks } from "./doctor/service-checks.js"
import { exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import { type Io, managedFile } from "./io.js"
import { note, printRows } from "./print.js"
import { setUp } from "./setup.js"

/** `haft doctor`: what works on this machine, what does not, and what to do about it. */
export const run: Run = async (invocation, io) => {
  if (invocation.text("install") === "git") await installMissingGit(invocation, io)
  const named = invocation.list("root")
  const request: DoctorRequest = {
    env: io.env,
    places: findPlaces(io.env, io.cwd, io.managedFile ?? managedFile),
    roots: (named.length > 0 ? named : [io.cwd]).map((root) => realPath(resolve(io.cwd, root))),
    ...(io.signal && { signal: io.signal }),
  }
  const checks = await doctorChecks(request)
  printRows(invocation, io, checks, (style) => words(checks, style))
  return checks.some(({ state }) => state === "fail") ? exitCodes.checkFailed : exitCodes.ok
}

/** Everything that is looked at, in order. */
export async function doctorChecks(request: DoctorRequest): Promise<readonly Check[]> {
  const checks: Check[] = []
  // One after the other, because some try what others would make late. After an abort none of them is waited for.
  for (const look of looks) checks.push(...(await unlessAborted(look(request), request.signal)))
  return checks
}

const looks: readonly ((request: DoctorRequest) => Promise<readonly Check[]>)[] = [
  machineChecks,
  async (request) => [await searchCheck(request)],
  sandboxChecks,
  boxChecks,
  languageChecks,
  async (request) => placeChecks(request),
  async (request) => [await journalCheck(request)],
  configurationChecks,
  serviceChecks,
]

function words(checks: readonly Check[], style: Style): string {
  const paint = { ok: style.green, warn: style.yellow, fail: style.red, none: style.dim }
  const rows = checks.map(({ name, state, found, fix }) => [
    paint[state](state),
    name,
    visibleLine(fix ? `${style.say(found)}; ${style.say(fix)}` : style.say(found)),
  ])
  const failed = checks.filter(({ state }) => state === "fail").length
  return `${columns(rows)}\n${failed === 0 ? style.say`everything needed is there` : style.say`${failed} failed`}`
}

/**
 * Installs a build of git from the address and with the hash that the user's own configuration names. A person asks for
 * this; no tool and no project can.
 */
async function installMissingGit(invocation: Invocation, io: Io): Promise<void> {
  const { places, configuration } = await setUp(invocation, io)
  const { values } = configuration
  const build = gitBuild({ baseUrl: values.get("git.baseUrl"), sha256: values.get("git.sha256") })
  const target = installedGitFolder(places.userHome)
  const { path, version } = await installGit({ ...build, target, signal: io.signal })
  note(invocation, io, `installed git ${version} as ${path}`)
}

/** Which language servers `lsp` would find for these folders, and whether they run. */
export async function languageChecks(request: DoctorRequest): Promise<readonly Check[]> {
  try {
    const { listServers } = await import("@haft/lsp")
    const { env: environment, roots } = request
    const servers = await listServers({ path: searchPathOf(request), roots, environment, ...signalOf(request) })
    return servers.map(({ id, title, command, problem, wanted, install }): Check => {
      const name = `lsp ${id}`
      if (command && problem !== undefined) {
        return { name, state: wanted ? "warn" : "none", found: `${command[0]} does not run: ${problem}`, fix: install }
      }
      if (command) return { name, state: "ok", found: command.join(" ") }
      if (!wanted) return { name, state: "none", found: `no server for ${title}`, fix: install }
      return { name, state: "warn", found: `no server for ${title}, which this project uses`, fix: install }
    })
  } catch (error) {
    return [failed("lsp", error, "warn")]
  }
}
