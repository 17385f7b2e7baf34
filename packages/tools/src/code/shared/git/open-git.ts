import { type CommandOutcome, type Commands, type FileReader, type Isolation, ToolError } from "@haft/contract"
import { findDrivers } from "./drivers.js"
import { findGit } from "./find-git.js"
import { findRepository, type Repository } from "./find-repository.js"
import { gitFailed, type GitRun, outputOf, runGit } from "./run-git.js"
import { parseSettings, type Setting } from "./settings.js"

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
  /** The same for another work tree of this repository: conditions in the settings may hold there and not here. */
  inWorktree(worktree: Pick<Repository, "top" | "gitFolder">): Promise<Git>
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

async function openRepository(commands: Commands, program: string, repository: Repository): Promise<Git> {
  const place = [`--git-dir=${repository.gitFolder}`, `--work-tree=${repository.top}`, "-c", "core.bare=false"]
  const { settings, ...first } = await readSettings(commands, { program, place, repository })
  const drivers = findDrivers(settings)
  let { isolation } = first
  const run: Git["run"] = async (label, args, { writes = false, keepBytes } = {}) => {
    const outcome = await runGit(commands, {
      ...{ label, program },
      options: [...place, ...drivers.arguments],
      arguments: args,
      profile: writes ? "work" : "look",
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
    inWorktree: (worktree) => openRepository(commands, program, { ...worktree, linked: true }),
  }
}

async function readSettings(
  commands: Commands,
  { program, place, repository }: { program: string; place: readonly string[]; repository: Repository },
): Promise<{ readonly settings: readonly Setting[]; readonly isolation: Isolation }> {
  const label = "git config"
  const outcome = await runGit(commands, {
    ...{ label, program, profile: "look" as const },
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
  return new ToolError("not_configured", `Cannot use git here: its folder "${folder}" lies outside the workspace`, {
    hint: "Go on without git",
    fix: "Add that folder as a root with --root DIR",
  })
}

/** Before 2.32 git cannot be told to leave the user's settings aside. */
function tooOld(): ToolError {
  return new ToolError(
    "not_configured",
    "Cannot use git here: this git is too old, it would read the user's settings",
    { fix: "Install git 2.36 or newer" },
  )
}
