import { execFile } from "node:child_process"
import { cp, lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { bestEffort, ignoreMissing, ToolError } from "@haft/contract"
import type { Places } from "../../config/places.js"
import { packagePath } from "../package-folder.js"

/** Which demo workspace. */
export interface DemoRequest {
  readonly name: string
  /** True for a new one at each time; otherwise the one that was made before is used again. */
  readonly isFresh?: boolean
}

const keptMs = 86_400_000

/** A small project with a history in git, beside Haft's own state: no tool reaches the state through it. */
export async function makeDemo(places: Pick<Places, "home">, { name, isFresh = false }: DemoRequest): Promise<string> {
  const folder = `${places.home}-demo`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await checkOwn(folder)
  const wanted = join(folder, name)
  if (!isFresh && (await ignoreMissing(stat(wanted)))) return wanted
  if (isFresh) await removeOld(folder, name)
  const made = await mkdtemp(join(folder, `${name}-`))
  await fill(made)
  if (isFresh) return made
  // Two starts at once: the second finds the workspace of the first.
  const isMoved = await rename(made, wanted).then(
    () => true,
    () => false,
  )
  if (!isMoved) await rm(made, { recursive: true, force: true })
  return wanted
}

/** Somebody else must not have put a folder or a link there. */
async function checkOwn(folder: string): Promise<void> {
  const facts = await lstat(folder)
  const isOwn = process.getuid === undefined || facts.uid === process.getuid()
  if (facts.isDirectory() && isOwn) return
  throw new ToolError("conflict", `Cannot use "${folder}" for the demo: it is not a folder of yours`, {
    hint: "Remove it, or name a folder of your own: --root DIR",
  })
}

async function removeOld(folder: string, name: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(`${name}-`)) continue
    const path = join(folder, entry)
    const facts = await ignoreMissing(lstat(path))
    if (facts && Date.now() - facts.mtimeMs > keptMs) {
      await bestEffort("it is tried again next time", rm(path, { recursive: true, force: true }))
    }
  }
}

async function fill(folder: string): Promise<void> {
  await cp(packagePath("demo", "workspace"), folder, { recursive: true })
  // Under these names no packer leaves them out.
  for (const name of ["gitignore", "env"]) await rename(join(folder, `dot-${name}`), join(folder, `.${name}`))
  await bestEffort("the demo works without git as well", history(folder))
}

const run = promisify(execFile)

async function history(folder: string): Promise<void> {
  const git = (...words: readonly string[]) => run("git", [...settings, ...words], { cwd: folder, env })
  await git("init", "--quiet", "--initial-branch=main")
  await git("add", "README.md", ".gitignore", "package.json", "src")
  await git("commit", "--quiet", "--message=Prices in cents, with a discount")
  await git("add", "--all")
  await git("commit", "--quiet", "--message=Tests and ideas")
}

// Nothing of the user's own settings, hooks or keys has a part in it.
const settings = ["-c", "user.name=Demo", "-c", "user.email=demo@example.invalid", "-c", "commit.gpgsign=false"]
const env = {
  PATH: process.env.PATH,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_DATE: "2026-01-05T09:00:00Z",
  GIT_COMMITTER_DATE: "2026-01-05T09:00:00Z",
}
