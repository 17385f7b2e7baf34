import {
  type CommandOutcome,
  type Commands,
  type FileReader,
  type Isolation,
  type SandboxProfile,
  ToolError,
} from "@haft/contract"
import { findGit } from "./find-git.js"
import { findRepository, type Repository } from "./find-repository.js"
import { type GitRun, gitFailed, outputOf, runGit } from "./run-git.js"
import { emptyVariable, falseVariable } from "./safe-environment.js"
import { parseSettings, type Setting, splitKey } from "./settings.js"

/** What one run in the repository may be besides its arguments. */
export type RunOptions = Pick<GitRun, "keepBytes"> & { readonly writes?: boolean }

/** The repository of the working directory, with every program that it names switched off. */
export interface Git {
  readonly repository: Repository
  /** What confined the last run. */
  isolation(): Isolation
  /** The settings of the repository. */
  readonly settings: readonly Setting[]
  /** Programs of the repository that are switched off, for instance `filter.lfs`. */
  readonly neutralised: readonly string[]
  /** Any exit code is an outcome. */
  run(label: string, args: readonly string[], options?: RunOptions): Promise<CommandOutcome>
  /** The whole output; another exit code than 0 is an error. */
  read(label: string, args: readonly string[], options?: RunOptions): Promise<string>
  /**
   * The same for another work tree of this repository: conditions in the settings may hold there and not here. One outside
   * the workspace is only seen by commands that may write it.
   */
  inWorktree(worktree: Pick<Repository, "top" | "gitFolder">, isOutside?: boolean): Promise<Git>
}

/** What git needs of a call. */
export interface GitPorts {
  readonly commands: Commands
  readonly files: FileReader
}

/** Finds git and the repository of the working directory. */
export async function openGit({ commands, files }: GitPorts): Promise<Git> {
  const program = await findGit(commands)
  return openRepository(commands, program, await findRepository(files))
}

async function openRepository(
  commands: Commands,
  program: string,
  repository: Repository,
  lookingProfile: SandboxProfile = "read-only",
): Promise<Git> {
  const place = [`--git-dir=${repository.gitFolder}`, `--work-tree=${repository.top}`, "-c", "core.bare=false"]
  const { settings, ...first } = await readSettings(commands, { program, place, repository, profile: lookingProfile })
  const drivers = findDrivers(settings)
  let { isolation } = first
  const run: Git["run"] = async (label, args, { writes = false, keepBytes } = {}) => {
    const outcome = await runGit(commands, {
      ...{ label, program },
      options: [...place, ...drivers.arguments],
      arguments: args,
      profile: writes ? "workspace-write" : lookingProfile,
      ...(keepBytes !== undefined && { keepBytes }),
    })
    isolation = outcome.isolation
    return outcome
  }
  return {
    repository,
    isolation: () => isolation,
    settings,
    neutralised: drivers.names,
    run,
    read: async (label, args, options) => outputOf(await run(label, args, options), label),
    inWorktree: (worktree, isOutside = false) =>
      openRepository(commands, program, { ...worktree, linked: true }, isOutside ? "workspace-write" : "read-only"),
  }
}

interface SettingsRequest {
  readonly program: string
  readonly place: readonly string[]
  readonly repository: Repository
  readonly profile: SandboxProfile
}

async function readSettings(
  commands: Commands,
  { program, place, repository, profile }: SettingsRequest,
): Promise<{ readonly settings: readonly Setting[]; readonly isolation: Isolation }> {
  const label = "git config"
  const outcome = await runGit(commands, {
    ...{ label, program, profile },
    options: place,
    // Listing settings starts nothing; conditions in them are decided as they will be for the command itself.
    arguments: ["config", "--list", "--includes", "--show-scope", "-z"],
  })
  if (repository.outside !== undefined && (outcome.exitCode !== 0 || outcome.isolation.level === "none")) {
    throw outsideFolder(repository.outside)
  }
  if (/option `(show-scope|includes)'/.test(outcome.stderr.text)) throw tooOld()
  if (outcome.exitCode !== 0) throw gitFailed(outcome, label)
  const settings = parseSettings(outputOf(outcome, label))
  if (settings.some(({ scope }) => scope === "system" || scope === "global")) throw tooOld()
  return { settings, isolation: outcome.isolation }
}

function outsideFolder(folder: string): ToolError {
  return new ToolError("not_configured", `Cannot use git here: its folder "${folder}" is outside the workspace`, {
    hint: "Go on without git",
    fix: "Add that folder as a root with --root DIR",
  })
}

/** Before 2.32 git has no option that leaves the user's settings aside. */
function tooOld(): ToolError {
  return new ToolError(
    "not_configured",
    "Cannot use git here: this git is too old, it would read the user's settings",
    { fix: "Install git 2.36 or newer" },
  )
}

// More would not fit on a command line, and no repository that means well has as many.
const maxDrivers = 200

/** Programs that a repository names for filters, merges, diffs and hooks, and the arguments that switch them off. */
interface Drivers {
  /** For instance `filter.lfs`; those that name a program. */
  readonly names: readonly string[]
  readonly arguments: readonly string[]
}

/** Finds the drivers of a repository by their names. */
function findDrivers(settings: readonly Setting[]): Drivers {
  const found = new Map<string, { readonly section: string; active: boolean }>()
  for (const { scope, key, value } of settings) {
    const parts = splitKey(key)
    if (!parts || scope === "command" || !programNames[parts.section]?.includes(parts.name)) continue
    const name = `${parts.section}.${parts.subject}`
    const driver = found.get(name) ?? { section: parts.section, active: false }
    driver.active ||= value !== ""
    found.set(name, driver)
  }
  if (found.size > maxDrivers) throw tooMany(found.size)
  return {
    names: [...found].filter(([, { active }]) => active).map(([name]) => name),
    arguments: [...found].flatMap(([name, { section }]) => switchOff(name, section)),
  }
}

const programNames: Readonly<Record<string, readonly string[]>> = {
  filter: ["clean", "smudge", "process"],
  diff: ["command", "textconv"],
  merge: ["driver"],
  hook: ["command", "event"],
}

// By way of a variable, because `-c` ends a name at its first "=" and a name may have one.
function switchOff(name: string, section: string): readonly string[] {
  const empty = section === "hook" ? [] : programNames[section]!
  return [
    ...empty.map((program) => `--config-env=${name}.${program}=${emptyVariable}`),
    ...(section === "filter" ? [`--config-env=${name}.required=${falseVariable}`] : []),
    ...(section === "hook" ? [`--config-env=${name}.enabled=${falseVariable}`] : []),
  ]
}

function tooMany(count: number): ToolError {
  return new ToolError(
    "unsupported",
    `Cannot use git here: the repository names ${count} programs for filters, merges and diffs, and at most ${maxDrivers} can be switched off; remove them from .git/config`,
  )
}
