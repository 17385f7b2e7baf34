import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type Face, type ToolDefinition, ToolError, type ToolFaces } from "@haft/contract"
import type { PointOptions, ToolPackage } from "@haft/testkit"
import { isPlainObject } from "../../config/setting-value.js"

/** Loads a package of tools as its users get it: by its exports map. */
export async function loadToolPackage(folder: string): Promise<ToolPackage & Pick<PointOptions, "draw">> {
  const manifest = readPackage(folder)
  const exports = isPlainObject(manifest.exports) ? manifest.exports : undefined
  const main = await load(folder, exports ? target(exports["."]) : manifest.main)
  const tools = Object.values(main).flat().filter(isTool)
  if (tools.length === 0) throw refused(folder, "it exports no tool", "Export what tool() or defineTool() gives")
  const execute = exports && target(exports["./execute"])
  const [unique, draw] = [[...new Set(tools)], await drawer(folder)]
  return {
    tools: unique,
    ...(typeof main.prompt === "string" && { prompt: main.prompt }),
    // Without React the modules of the faces cannot be loaded either.
    faces: draw ? await facesOf(unique, folder, exports && target(exports["./faces"])) : {},
    sources: execute === undefined ? {} : sourcesOf(folder, join(folder, execute)),
    folder: unique.length === 1 ? basename(folder) : undefined,
    exports: Object.keys(exports ?? {}),
    ...(draw && { draw }),
  } as ToolPackage & Pick<PointOptions, "draw">
}

type Module = Readonly<Record<string, unknown>>

function readPackage(folder: string): Module {
  const file = join(folder, "package.json")
  if (!existsSync(file)) throw refused(folder, "it has no package.json", "Begin with: haft tool new NAME")
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Module
  } catch (error) {
    throw refused(folder, `its package.json is no JSON (${(error as Error).message})`, "Correct it")
  }
}

/** The file that an entry of the exports map means for an import. */
function target(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry
  if (!isPlainObject(entry)) return undefined
  return target(entry.import ?? entry.node ?? entry.default)
}

async function load(folder: string, path: unknown): Promise<Module> {
  if (typeof path !== "string")
    throw refused(folder, 'its package.json exports no "."', 'Write "exports": { ".": "./src/index.js" }')
  try {
    return (await import(pathToFileURL(resolve(folder, path)).href)) as Module
  } catch (error) {
    throw refused(
      folder,
      `${path} cannot be loaded: ${(error as Error).message}`,
      "Install what it needs with npm; haft tool new prints how to install haft itself",
    )
  }
}

function isTool(value: unknown): value is ToolDefinition {
  return (
    isPlainObject(value) &&
    isPlainObject(value.manifest) &&
    typeof value.execute === "function" &&
    typeof value.examples === "function"
  )
}

const faceNames = ["Inspector", "Placeholder", "Streaming", "Intervention", "Render", "Portal"]

/** The faces that pages load with each tool, and those of `./faces`, which must be the same. */
async function facesOf(
  tools: readonly ToolDefinition[],
  folder: string,
  path: string | undefined,
): Promise<Readonly<Record<string, ToolFaces>>> {
  const { faces = {} } = path === undefined ? {} : ((await load(folder, path)) as { faces?: Module })
  const isOfOne = Object.keys(faces).some((name) => faceNames.includes(name))
  const byId = (id: string) => (isOfOne && tools.length === 1 ? faces : faces[id]) as ToolFaces | undefined
  const found = await Promise.all(
    tools.map(
      async (tool) => [tool.manifest.id, byId(tool.manifest.id) ?? (await tool.faces?.())?.faces ?? {}] as const,
    ),
  )
  return Object.fromEntries(found)
}

const importing = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.{1,2}\/[^"']+)["']/g
const mostSources = 200

/** The file and all that it imports of the package. */
function sourcesOf(folder: string, file: string, found: Record<string, string> = {}): Readonly<Record<string, string>> {
  const name = relative(folder, file)
  if (name in found || Object.keys(found).length >= mostSources || !existsSync(file)) return found
  const text = readFileSync(file, "utf8")
  found[name] = text
  for (const [, path] of text.matchAll(importing)) sourcesOf(folder, resolve(dirname(file), path!), found)
  return found
}

/** Draws with the React of the package; undefined where it has none. */
async function drawer(folder: string): Promise<PointOptions["draw"]> {
  try {
    const find = createRequire(join(folder, "package.json"))
    const [react, server] = await Promise.all([
      import(pathToFileURL(find.resolve("react")).href) as Promise<{
        default: { createElement(type: unknown, props: object): unknown }
      }>,
      import(pathToFileURL(find.resolve("react-dom/server")).href) as Promise<{
        default: { renderToStaticMarkup(element: unknown): string }
      }>,
    ])
    return (face: Face<never>, props: object) =>
      server.default.renderToStaticMarkup(react.default.createElement(face, props))
  } catch {
    // The points about faces say what to install.
    return undefined
  }
}

function refused(folder: string, reason: string, hint: string): ToolError {
  return new ToolError("invalid_args", `Cannot check "${folder}": ${reason}`, { hint })
}
