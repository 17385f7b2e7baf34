import { lstat } from "node:fs/promises"
import { join } from "node:path"
import { foldersOf } from "./folders-of.js"
import type { ServerSpec } from "./server-spec.js"

/** The folder that a server works on: the root, or the nearest project above the file for servers that want one. */
export async function projectRoot(
  { perProject = false, projectFiles }: ServerSpec,
  { path, root }: { readonly path?: string; readonly root: string },
): Promise<string> {
  if (!perProject || path === undefined) return root
  for (const folder of foldersOf(path, root)) {
    for (const name of projectFiles) if (await exists(join(folder, name))) return folder
  }
  return root
}

/** Whether a folder is a project of the language. */
export async function isProject(folder: string, { projectFiles }: ServerSpec): Promise<boolean> {
  for (const name of projectFiles) if (await exists(join(folder, name))) return true
  return false
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  )
}
