import { basename, dirname } from "node:path"
import type { ToolDefinition } from "@haft/contract"

/** A way to load each tool without the others, from the imports of the catalogue. */
export function toolLoadersFile(catalog: readonly ToolDefinition[], catalogSource: string): string {
  const imports = [...catalogSource.matchAll(/^import \{ (\w+) \} from "\.\/(.+)"$/gm)]
  const loaders = new Map(
    imports.map(([, constant, path]) => {
      const place = basename(path!) === "index.js" ? dirname(path!) : path!
      const id = basename(place, ".js").replaceAll("-", "_")
      return [id, `  ${id}: async () => (await import("../${path}")).${constant},`]
    }),
  )
  const lines = catalog.map(({ manifest: { id } }) => loaders.get(id) ?? unnamed(id))
  return `// Made by npm run build from catalog.ts.
import type { ToolDefinition } from "@haft/contract"

/** Loads one tool, by its id. */
export const toolLoaders: Readonly<Record<string, () => Promise<ToolDefinition>>> = {
${lines.join("\n")}
}
`
}

function unnamed(id: string): never {
  throw new Error(
    `the folder or file of the tool "${id}" must have the tool's name, and catalog.ts must import it on one line`,
  )
}
