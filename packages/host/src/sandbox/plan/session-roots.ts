import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync } from "node:fs"
import { join } from "node:path"
import { bestEffort, isInside, ToolError } from "@haft/contract"
import { procSelf, realPath } from "../../files/system/look.js"
import { O_PATH } from "../../files/walk/linux/hold.js"
import { WorkspaceIndex } from "../../workspace-index/index.js"
import { scanLimits } from "../masks/workspace-masks.js"
import type { SandboxOptions } from "../options.js"
import type { SandboxRequest } from "../sandbox.js"
import type { ViewRoot } from "../view/build-view.js"
import { privateFolders } from "../view/system-mounts.js"

/** The directory trees that the sandboxes of a session show, held open for as long as it lasts. */
export class SessionRoots {
  readonly paths: readonly string[]
  /** Roots that hold more than a project. */
  readonly wide: readonly string[]
  /** The other ones. A wide root holds the programs of the machine too: those could be taken from nowhere else. */
  readonly projects: readonly string[]
  readonly gitDirs: readonly { readonly path: string; readonly write: boolean }[]
  /** Roots and Git directories. */
  readonly held: readonly HeldTree[]
  readonly indexes: readonly WorkspaceIndex[]
  private readonly trees: readonly HeldTree[]
  private readonly guarded: readonly string[]
  private commands = 0
  private idle: NodeJS.Timeout | undefined

  constructor(private readonly options: SandboxOptions) {
    const { roots, opened, isWide, home, haftHome, hidden = [], gitDirs = [] } = options
    this.paths = roots.map((root, index) => opened?.[index]?.path ?? realPath(root))
    this.wide = this.paths.filter((root, index) => isWide?.(roots[index]!) || isWide?.(root))
    this.projects = this.paths.filter((root) => !this.wide.includes(root))
    this.guarded = [...this.wide, home, haftHome, ...hidden].map(realPath)
    this.gitDirs = gitDirs.map(({ path, write }) => ({ path: realPath(path), write }))
    this.trees = this.paths.map((path, index) => holdTree({ ...opened?.[index], path }))
    const shared = this.gitDirs.filter(({ path }) => existsSync(path)).map(({ path }) => holdTree({ path }))
    this.held = [...this.trees, ...shared]
    this.indexes = options.indexes ?? this.trees.map(indexIn(options.sessionFolder))
  }

  /** `conflict` when the path of a root resolves to another directory now. */
  assertInPlace(): void {
    for (const tree of this.trees) tree.assertInPlace()
  }

  /** None for a server; else writable where the verdict says so; of a wide root only the folder that the command starts in, unless it is wide itself. */
  shownTo({ sandbox, directory }: SandboxRequest, freeze: boolean): readonly ViewRoot[] {
    if (sandbox.profile === "server") return []
    const writable = sandbox.profile.startsWith("workspace-write") && !freeze
    const shown = this.paths.flatMap((path): readonly ViewRoot[] => {
      if (!this.wide.includes(path)) return [{ path, writable, wide: false }]
      const start = writable && isInside(directory, path) && !this.isWide(directory)
      return [
        { path, writable: false, wide: true },
        ...(start ? [{ path: directory, writable: true, wide: false }] : []),
      ]
    })
    return [...shown, ...this.gitDirs.map(({ path, write }) => ({ path, writable: write && writable, wide: false }))]
  }

  /** A session of one command, and most are, does not pay for watches: they are set for the second one, or while idle. */
  async watchSoon(): Promise<void> {
    this.commands += 1
    clearTimeout(this.idle)
    if (this.commands > 1) for (const index of this.indexes) await index.watch(scanLimits)
    else {
      this.idle = setTimeout(() => {
        for (const index of this.indexes) void bestEffort("the next command scans", index.watchWhenIdle(scanLimits))
      }, idleMs).unref()
    }
  }

  /** Whether no command of the session came before the one that is prepared now. */
  isFirstCommand(): boolean {
    return this.commands === 1
  }

  /** Why the workspace cannot be watched. */
  notes(): readonly string[] {
    return this.indexes.flatMap((index) => {
      const reason = index.whyRefused()
      return reason === undefined ? [] : [`the workspace is scanned for every command, because ${reason}`]
    })
  }

  close(): void {
    clearTimeout(this.idle)
    if (!this.options.indexes) for (const index of this.indexes) index.close()
    for (const tree of this.held) tree.close()
  }

  private isWide(directory: string): boolean {
    return this.options.isWide?.(directory) === true || this.guarded.some((place) => isInside(place, directory))
  }
}

/** So long after the first command the workspace is watched, if no other came before. */
const idleMs = 100

function indexIn(sessionFolder: string): (tree: HeldTree, position: number) => WorkspaceIndex {
  return ({ path, at }, position) => {
    const cookieFolder = join(sessionFolder, "index", String(position))
    return new WorkspaceIndex({ root: path, at, skip: privateFolders, cookieFolder })
  }
}

/** A tree that sandboxes show: the directory that was there when the session began, and no other. */
export interface HeldTree {
  readonly path: string
  /** Undefined where the platform cannot hold a directory. */
  readonly descriptor: number | undefined
  /** Where to look at something in it. */
  at(path: string): string
  /** `conflict` when its path resolves to another directory now: what is found by the path is not what would be shown. */
  assertInPlace(): void
  close(): void
}

/** Holds a tree until it is closed; by its path, or a directory that was opened before. */
export function holdTree({ path, self = path }: { readonly path: string; readonly self?: string }): HeldTree {
  const canHold = process.platform === "linux" && path !== "/"
  let isClosed = false
  const descriptor = canHold ? openSync(`${self}/.`, O_PATH | constants.O_DIRECTORY) : undefined
  const { dev, ino } = descriptor === undefined ? lstatSync(path) : fstatSync(descriptor)
  // Ends in a dot: the descriptor alone is a symbolic link for lstat.
  const place = `${procSelf()}/fd/${descriptor}/.`
  return {
    path,
    descriptor,
    at: (below) => (descriptor === undefined ? below : place + below.slice(path.length)),
    assertInPlace() {
      const facts = lstatSync(path, { throwIfNoEntry: false })
      if (facts?.isDirectory() && facts.dev === dev && facts.ino === ino) return
      throw new ToolError(
        "conflict",
        `Cannot run a command: the root "${path}" was replaced since the session was opened; open a new session`,
      )
    },
    close() {
      if (descriptor !== undefined && !isClosed) closeSync(descriptor)
      isClosed = true
    },
  }
}
