import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join, relative } from "node:path"

/** A copy of this repository's sources that can be changed and built without touching the original. */
export interface RepositoryCopy {
  readonly path: string
  remove(): Promise<void>
}

const copied = [
  "package.json",
  "README.md",
  "LICENSE",
  "package-lock.json",
  "tsconfig.base.json",
  "tsconfig.json",
  "vitest.config.ts",
  "packages",
  "scripts",
  "docs",
]

/** Copies sources; packages of others are linked, packages of this repository are those of the copy. */
export async function copyRepository(root: string): Promise<RepositoryCopy> {
  const path = await mkdtemp(join(await realpath(tmpdir()), "haft-copy-"))
  for (const name of copied) {
    await cp(join(root, name), join(path, name), {
      recursive: true,
      filter: (source) => !["dist", "node_modules"].includes(basename(source)),
    })
  }
  await linkModules(join(root, "node_modules"), join(path, "node_modules"))
  for (const folder of await readdir(join(root, "packages"))) {
    const own = join(root, "packages", folder, "node_modules")
    await linkModules(own, join(path, "packages", folder, "node_modules")).catch(() => undefined)
    await relink(
      join(path, "node_modules", folder === "haft" ? "haft" : `@haft/${folder}`),
      join(path, "packages", folder),
    )
  }
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

async function linkModules(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => name !== "@haft" && name !== "haft" && name !== ".cache")
  await mkdir(to, { recursive: true })
  for (const name of names) await symlink(join(from, name), join(to, name))
}

async function relink(link: string, target: string): Promise<void> {
  await mkdir(dirname(link), { recursive: true })
  await symlink(relative(dirname(link), target), link)
}
