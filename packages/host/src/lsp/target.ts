import { type FileReader, type LanguageRequest, ToolError } from "@haft/contract"
import { positionOf } from "./answer/position-of.js"
import { readDocument } from "./answer/read-document.js"
import { rootOf } from "./find/folders-of.js"
import { isProject } from "./find/project-root.js"
import { endingOf, type ServerSpec, specOf } from "./find/server-spec.js"

/** Which server a question is for. */
export interface Target {
  readonly spec: ServerSpec
  readonly root: string
  /** The file that is asked about: absolute, links followed. */
  readonly path?: string
}

/** Where targets are looked for. */
export interface TargetOptions {
  readonly table: readonly ServerSpec[]
  readonly roots: readonly string[]
  readonly files: FileReader
}

/** The server for a file. What is wrong with the question itself is told before a server is started for it. */
export async function fileTarget(request: LanguageRequest, { files, table, roots }: TargetOptions): Promise<Target> {
  const path = request.path!
  const spec = specOf(path, table)
  if (!spec) throw unknownLanguage(path, table)
  const document = await readDocument(files, path)
  if (["definition", "references", "hover"].includes(request.action)) positionOf(request, document)
  const root = rootOf(document.path, roots)
  if (root !== undefined) return { spec, root, path: document.path }
  throw new ToolError("denied", `Cannot ask about "${path}": it lies outside the workspace; use a path inside it`)
}

/** The servers for a question without a file: those of the languages that the roots hold projects of. */
export async function workspaceTargets(
  { action, query }: LanguageRequest,
  { table, roots }: TargetOptions,
): Promise<readonly Target[]> {
  if (action !== "symbols" || !query) {
    const needed = action === "symbols" ? "file_path or query" : "file_path"
    throw new ToolError("invalid_args", `Cannot ask for ${action}: it needs ${needed}`)
  }
  const targets: Target[] = []
  for (const root of roots) {
    for (const spec of table) if (await isProject(root, spec)) targets.push({ spec, root })
  }
  if (targets.length > 0) return targets
  const names = table.flatMap(({ projectFiles }) => projectFiles).join(", ")
  throw new ToolError(
    "unsupported",
    `Cannot look for "${query}" in the whole workspace: its top folder holds none of ${names}`,
    { hint: [{ say: "Give {key:file_path}" }, { say: "Use {tool:grep} instead" }] },
  )
}

function unknownLanguage(path: string, table: readonly ServerSpec[]): ToolError {
  const known = table.map(({ title }) => title).join(", ")
  const ending = endingOf(path) || "files without an ending"
  return new ToolError(
    "unsupported",
    `Cannot ask about "${path}": no language server is known for ${ending}; there are some for ${known}`,
  )
}
