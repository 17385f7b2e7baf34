import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createHaft, type Haft } from "../src/library/create-haft.js"
import type { HaftOptions } from "../src/library/options.js"

/** A temporary workspace with a state folder beside it, for tests of the library. */
export interface LibraryWorld {
  readonly root: string
  readonly home: string
  path(name: string): string
  haft(options?: HaftOptions): Promise<Haft>
  remove(): Promise<void>
}

/** Makes a workspace with these files; everything is removed by `remove`. */
export async function libraryWorld(files: Readonly<Record<string, string>> = {}): Promise<LibraryWorld> {
  const folder = await mkdtemp(join(tmpdir(), "haft-library-"))
  const root = join(folder, "workspace")
  await mkdir(root)
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), content)
  }
  const opened: Haft[] = []
  return {
    root,
    home: join(folder, "state"),
    path: (name) => join(root, name),
    async haft(options = {}) {
      const haft = await createHaft({
        roots: [root],
        home: join(folder, "state"),
        ...options,
        storage: { configHome: join(folder, "config"), ...options.storage },
      })
      opened.push(haft)
      return haft
    },
    async remove() {
      for (const haft of opened) await haft.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
