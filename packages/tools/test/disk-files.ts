import { createHash } from "node:crypto"
import { readFile, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { FileContent, FileWriter, ToolDefinition } from "@haft/contract"
import { ToolError } from "@haft/contract"

/** What a run on the disk gave. */
export interface DiskRun {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the data of every tool.
  readonly data: any
  // biome-ignore lint/suspicious/noExplicitAny: and into the state that faces draw.
  readonly state: any
  readonly text: string
}

/** Runs a tool that updates files of a folder, without the safe walk and the history of the real port. */
export async function runOnDisk(tool: ToolDefinition, folder: string, input: unknown): Promise<DiskRun> {
  let state: unknown
  const context = { files: diskFiles(folder), setState: (value: unknown) => (state = value) }
  const { execute } = await tool.execute()
  const parsed = tool.manifest.input.parse(input)
  const data = tool.manifest.output.parse(await execute(parsed, context as never))
  const text = tool
    .present(data, parsed)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("")
  return { data, state, text }
}

function diskFiles(folder: string): Pick<FileWriter, "update"> & { display(path: string): string } {
  return {
    display: (path) => path,
    async update(path, { maxBytes }, change) {
      const absolute = join(folder, path)
      const facts = await stat(absolute)
      if (facts.size > maxBytes) throw new ToolError("too_large", `Cannot read "${path}": it has ${facts.size} bytes`)
      const bytes = await readFile(absolute)
      const current: FileContent = {
        ...{ path: absolute, kind: "file", size: facts.size, mtimeMs: facts.mtimeMs, mode: facts.mode },
        ...{ bytes, hash: createHash("sha256").update(bytes).digest("hex") },
      }
      const after = await change(current)
      await writeFile(absolute, after)
      const hash = createHash("sha256").update(after).digest("hex")
      return { path: absolute, created: false, bytesWritten: after.length, hash, before: bytes }
    },
  }
}
