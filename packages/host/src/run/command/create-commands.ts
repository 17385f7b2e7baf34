import { basename, join, relative } from "node:path"
import {
  type CommandOutcome,
  type CommandRequest,
  type Commands,
  type Isolation,
  isInside,
  type ObservedChanges,
  type RefusedHost,
  type SandboxedCall,
  type SandboxProfile,
  type SandboxSpec,
  ToolError,
} from "@haft/contract"
import { sessionTemporary, temporaryIn } from "../../files/session-folder.js"
import { type OutsideReport, placeOutside } from "../../outside/place-outside.js"
import { quarantineWords } from "../../sandbox/protected/quarantine.js"
import type { CommandSandboxes, PreparedSandbox, Release } from "../../sandbox/sandbox.js"
import type { Observer } from "../../undo/record/create-observer.js"
import { cancelled } from "../../wait.js"
import type { SidecarLimits } from "../process/output-sidecar.js"
import { runProcess } from "../process/run-process.js"
import { nextProcessTag, tagName } from "../process/spawn.js"
import {
  createProgramFinder,
  observeDecisions,
  quietEnvironment,
  type Workplace,
  workingDirectory,
} from "../workplace.js"
import { createGate, type Gate } from "./gate.js"

/** What the commands of a session are made from. */
export interface CommandsOptions extends Workplace {
  readonly sandboxes: CommandSandboxes
  /** Where former content is kept for undo. */
  readonly historyFolder: string
  /** Compares the workspace before and after commands that may write; without it nothing is compared. */
  readonly observe?: Observer
  /** Where programs are found; the search path of this process by default. */
  readonly path?: string
  /** Installs git where it is missing; without it nothing is installed. */
  readonly installGit?: (signal: AbortSignal) => Promise<string>
  /** How much of a long output is kept in its file. */
  readonly sidecarLimits?: SidecarLimits
  /** How many run at a time; by default one gate for all sessions of this process. */
  readonly gate?: Gate
}

// State of the machine rather than of a session: all sessions of a process share its processors.
const sharedGate = createGate({ running: 8, waiting: 1000 })

/** The command port of a session; every call runs its commands in its own sandbox. */
export function createCommands(options: CommandsOptions): (call: SandboxedCall) => Commands {
  const { gate = sharedGate } = options
  const find = createProgramFinder(options)
  return (call) => ({
    run: (request) => gate.enter(call.sessionId, call.signal, () => runCommand(options, call, request)),
    find: (program) => find(program, call.grant.sandbox),
    obtain: async () => options.installGit?.(call.signal),
    denies: (kind, path) => call.grant.denies(kind, path),
  })
}

async function runCommand(
  options: CommandsOptions,
  call: SandboxedCall,
  request: CommandRequest,
): Promise<CommandOutcome> {
  const { grant, signal } = call
  const sandbox = narrowSandbox(grant.sandbox, request.profile)
  const directory = await workingDirectory(request.directory, options)
  const tag = nextProcessTag()
  const environment = { ...quietEnvironment, ...request.environment, [tagName]: tag }
  const refused: RefusedHost[] = []
  const observation = sandbox.profile === "read-only" ? undefined : await options.observe?.begin(call)
  try {
    const prepared = await options.sandboxes.prepare({
      ...{ sandbox, directory, environment, signal },
      denies: (kind, path) => grant.denies(kind, path),
      rulesKey: grant.rulesKey,
      mayDelete: (path) => grant.admits("fs.delete", path),
      mayRead: (path) => grant.admits("fs.read", path),
      onDecision: observeDecisions(call, refused),
    })
    try {
      let released: Release | undefined
      const process = { ...request, sandbox: prepared, tag, signal, sidecar: sidecarOf(options, call) }
      const { aborted, ...ended } = await start(grant, process).finally(async () => {
        released = await prepared.release()
      })
      const ran = { isConfined: prepared.isolation.level !== "none", isFiltered: prepared.isFiltered === true }
      const changes = observation ? await observation.end(ran) : notObserved(sandbox.profile, prepared.isolation)
      // A caller that gave up gets no report: then nothing outside the workspace changes either.
      if (aborted) throw cancelled(signal)
      const outside = await placed(options, call, { prepared, directory })
      return {
        ...ended,
        isolation: withPlaceholderNote(withTemporaryNote(prepared.isolation, ended.stderr.text, options), prepared, [
          ended.stdout.text,
          ended.stderr.text,
        ]),
        ...(refused.length > 0 && { refused }),
        changes: withOutside(withQuarantined(changes, released, options), outside),
      }
    } finally {
      await prepared.outside?.staged.dispose()
    }
  } finally {
    // Also a command that failed may have changed something.
    await observation?.end()
  }
}

async function start(grant: SandboxedCall["grant"], process: Parameters<typeof runProcess>[0]) {
  grant.begins?.()
  return runProcess(process)
}

function sidecarOf({ sessionFolder, sidecarLimits: limits }: CommandsOptions, { callId }: SandboxedCall) {
  return { folder: join(sessionFolder, "out"), name: callId, ...(limits && { limits }) }
}

/** Says why a file of the machine is not in the session's /tmp. */
function withTemporaryNote(isolation: Isolation, stderr: string, { sessionFolder, roots }: CommandsOptions): Isolation {
  if (isolation.level !== "namespaces") return isolation
  const temporary = sessionTemporary(temporaryIn(sessionFolder), roots)
  const missing = stderr.split("\n").filter((line) => isMissing.test(line))
  const isThere = missing.some((line) => temporary.holds(temporaryPath.exec(line)?.[0] ?? ""))
  return isThere ? { ...isolation, notes: [...isolation.notes, ownTemporary] } : isolation
}

const isMissing = /No such file or directory|ENOENT|not found|does not exist/
const temporaryPath = /(?:\/var)?\/tmp\/[^\s'"`:;,()]+/
const ownTemporary = "/tmp is the session's own, and has none of the machine's files"

/** Says which names of a listing are not real: otherwise a model takes them for files of the workspace. */
function withPlaceholderNote(
  isolation: Isolation,
  { placeholders = [] }: PreparedSandbox,
  printed: readonly string[],
): Isolation {
  if (placeholders.length === 0) return isolation
  const words = new Set(printed.flatMap((text) => text.slice(0, searched).split(/[\s'"`:;,()/]+/)))
  const seen = [...new Set(placeholders.map((path) => basename(path)))].filter((name) => words.has(name)).sort()
  if (seen.length === 0) return isolation
  const shown = seen.length > 3 ? `${seen.slice(0, 3).join(", ")} and ${seen.length - 3} more` : seen.join(", ")
  const note = `${shown}: empty placeholders of the sandbox for protected names, not files of the workspace`
  return { ...isolation, notes: [...isolation.notes, note] }
}

// A listing is short; the rest of a long output is not looked through.
const searched = 100_000

function notObserved(profile: SandboxProfile, isolation: Isolation): ObservedChanges {
  const nothing = { written: [], deleted: [], unexpected: [], protectedCreated: [] }
  const heldBySandbox = profile === "read-only" && isolation.level !== "none"
  if (heldBySandbox) return { ...nothing, complete: true }
  return { ...nothing, complete: false, note: "What it changed in the workspace was not compared" }
}

function withQuarantined(
  changes: ObservedChanges,
  released: Release | undefined,
  { directory }: Pick<Workplace, "directory">,
): ObservedChanges {
  const { quarantined = [], note } = released ?? {}
  if (quarantined.length === 0 && note === undefined) return changes
  const shown = quarantined.map(({ path }) => (isInside(path, directory) ? relative(directory, path) : path))
  const notes = [changes.note, ...quarantineWords(quarantined), note].filter((one) => one !== undefined)
  return {
    ...changes,
    protectedCreated: [...new Set([...shown, ...changes.protectedCreated])],
    complete: changes.complete && note === undefined,
    note: notes.join(". "),
  }
}

interface Ended {
  readonly prepared: PreparedSandbox
  readonly directory: string
}

/** What the command changed outside the workspace, by way of copies; now it is there. */
async function placed(
  { historyFolder, sessionFolder, roots }: CommandsOptions,
  call: SandboxedCall,
  { prepared, directory }: Ended,
): Promise<OutsideReport | undefined> {
  if (!prepared.outside) return undefined
  const root = roots.find((each) => isInside(directory, each)) ?? roots[0]!
  const scratchFolder = join(sessionFolder, "scratch")
  return placeOutside({ ...prepared.outside, call, historyFolder, scratchFolder, root })
}

function withOutside(changes: ObservedChanges, outside: OutsideReport | undefined): ObservedChanges {
  if (!outside) return changes
  const { written, deleted, notes } = outside
  const note = [changes.note, ...notes].filter((each) => each !== undefined).join(". ")
  return {
    ...changes,
    written: [...changes.written, ...written],
    deleted: [...changes.deleted, ...deleted.filter((path) => !written.includes(path))],
    complete: changes.complete && notes.length === 0,
    ...(note !== "" && { note }),
  }
}

/** The sandbox of a grant, or a narrower one where a command asks for less than its call may do. */
export function narrowSandbox(sandbox: SandboxSpec, asked: SandboxProfile | undefined): SandboxSpec {
  if (asked === undefined || asked === sandbox.profile) return sandbox
  if (!narrower[sandbox.profile].includes(asked)) {
    throw new ToolError(
      "denied",
      `Cannot run a command in the sandbox "${asked}": the call was given "${sandbox.profile}"`,
    )
  }
  const { outside, ...rest } = sandbox
  const narrowed = { ...rest, profile: asked, hosts: [], unconfined: false }
  return outside && asked !== "read-only" ? { ...narrowed, outside } : narrowed
}

const narrower: Readonly<Record<SandboxProfile, readonly SandboxProfile[]>> = {
  "read-only": [],
  "workspace-write": ["read-only"],
  "workspace-write+net": ["read-only", "workspace-write"],
  server: ["read-only"],
}
