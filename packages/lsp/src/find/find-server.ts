import { constants } from "node:fs"
import { access, open, realpath, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isInside } from "@haft/contract"
import { exists } from "@haft/host"
import type { Candidate, ServerSpec } from "./server-table.js"

/** Where a server is looked for. */
export interface FindServerOptions {
  /** Folders from the file's own up to the root, nearest first. */
  readonly folders: readonly string[]
  /** The program of the machine that has this name. */
  readonly find: (program: string) => Promise<string | undefined>
}

/** Program and arguments of the first candidate that exists; undefined when none does. */
export async function findServer(spec: ServerSpec, options: FindServerOptions): Promise<readonly string[] | undefined> {
  for (const candidate of spec.candidates) {
    const command = await commandOf(candidate, options)
    if (command) return [...command, ...candidate.arguments]
  }
  return undefined
}

async function commandOf(candidate: Candidate, options: FindServerOptions): Promise<readonly string[] | undefined> {
  switch (candidate.where) {
    case "package":
      return nearest(options.folders, (folder) => inPackage(candidate, folder))
    case "project":
      return nearest(options.folders, (folder) => program(join(folder, candidate.program)))
    case "path": {
      const found = await options.find(candidate.program)
      if (found === undefined) return undefined
      return (await belongsTo(found, candidate.ofPackage)) ? [found] : undefined
    }
  }
}

async function nearest<Found>(
  folders: readonly string[],
  look: (folder: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const folder of folders) {
    const found = await look(folder)
    if (found !== undefined) return found
  }
  return undefined
}

async function inPackage(
  { name, leastMajor = 0, program: script, native }: Extract<Candidate, { where: "package" }>,
  folder: string,
): Promise<readonly string[] | undefined> {
  const installed = join(folder, "node_modules", name)
  if (!(await isVersion(installed, { name, leastMajor }))) return undefined
  // Package managers put links there; what a package needs is beside the package itself.
  const home = await realpath(installed)
  const direct = native && (await program(nativeProgram(home, name, native)))
  if (direct) return direct
  const file = join(home, script)
  return (await isFile(file)) ? [process.execPath, file] : undefined
}

function nativeProgram(home: string, name: string, native: { name: string; program: string }): string {
  const packages = name.startsWith("@") ? dirname(dirname(home)) : dirname(home)
  const platform = native.name.replace("{platform}", process.platform).replace("{arch}", process.arch)
  return join(packages, platform, process.platform === "win32" ? `${native.program}.exe` : native.program)
}

async function program(path: string): Promise<readonly string[] | undefined> {
  const usable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
  return usable && (await isFile(path)) ? [path] : undefined
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  )
}

/** Programs of npm packages are links into the package: its own description tells the version without a start. */
async function belongsTo(
  path: string,
  wanted: { readonly name: string; readonly leastMajor: number } | undefined,
): Promise<boolean> {
  if (!wanted) return true
  return await isVersion(dirname(dirname(await realpath(path))), wanted)
}

async function isVersion(
  folder: string,
  wanted: { readonly name: string; readonly leastMajor: number },
): Promise<boolean> {
  const text = await readPlain(join(folder, "package.json"), 256 * 1024)
  if (text === undefined) return false
  try {
    const { name, version } = JSON.parse(text) as { name?: unknown; version?: unknown }
    return name === wanted.name && typeof version === "string" && Number.parseInt(version, 10) >= wanted.leastMajor
  } catch {
    return false
  }
}

/** The folder that a server works on: the root, or the nearest project above the file for servers that want one. */
export async function projectRoot(
  { perProject = false, projectFiles }: ServerSpec,
  { path, root }: { readonly path?: string; readonly root: string },
): Promise<string> {
  if (!perProject || path === undefined) return root
  for (const folder of foldersOf(path, root)) {
    for (const name of projectFiles) if (exists(join(folder, name))) return folder
  }
  return root
}

/** Whether a folder is a project of the language. */
export async function isProject(folder: string, { projectFiles }: ServerSpec): Promise<boolean> {
  for (const name of projectFiles) if (exists(join(folder, name))) return true
  return false
}

/** The folders from that of a file up to its root, nearest first; empty when it is outside. */
export function foldersOf(path: string, root: string): readonly string[] {
  const folders: string[] = []
  for (let folder = dirname(path); isInside(folder, root); folder = dirname(folder)) {
    folders.push(folder)
    if (folder === root || folder === dirname(folder)) break
  }
  return folders
}

/** The innermost root that a path is in; undefined outside all. */
export function rootOf(path: string, roots: readonly string[]): string | undefined {
  return roots.filter((root) => isInside(path, root)).sort((a, b) => b.length - a.length)[0]
}

// A pipe in place of the file must not hold the call up.
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** The text of a small regular file; undefined when there is none. */
async function readPlain(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    const file = await open(path, flags)
    try {
      const facts = await file.stat()
      return facts.isFile() && facts.size <= maxBytes ? await file.readFile("utf8") : undefined
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}
