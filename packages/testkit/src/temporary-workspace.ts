import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** A real folder that exists for one test. */
export interface TemporaryWorkspace extends AsyncDisposable {
  /** Absolute, links followed. */
  readonly path: string
  /** Writes files by path relative to the workspace, parents included. */
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>
  /** The text of a file; null when there is none. */
  readText(path: string): Promise<string | null>
  /** The bytes of a file; null when there is none. */
  readBytes(path: string): Promise<Uint8Array | null>
  /** Removes the folder with all that is in it. */
  remove(): Promise<void>
}

/** Makes a real temporary folder with these files. */
export async function temporaryWorkspace(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<TemporaryWorkspace> {
  // Some systems keep their temporary folder behind a link; tests compare resolved paths.
  const path = await realpath(await mkdtemp(join(tmpdir(), "haft-test-")))
  const remove = () => rm(path, { recursive: true, force: true })
  const readBytes = async (name: string) => (await ifPresent(readFile(join(path, name)))) ?? null
  const workspace: TemporaryWorkspace = {
    path,
    write: (more) => writeFiles(path, more),
    readBytes,
    readText: async (name) => (await ifPresent(readFile(join(path, name), "utf8"))) ?? null,
    remove,
    [Symbol.asyncDispose]: remove,
  }
  await workspace.write(files)
  return workspace
}

async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const target = join(folder, name)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
  }
}

async function ifPresent<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}
