import type { RequirementSet, ToolDefinition } from "@haft/contract"
import { code, generatedNote, page, table } from "./markdown.js"

const capabilities: readonly (readonly [name: string, meaning: string])[] = [
  ["fs.read", "Reads files, lists directories, searches"],
  ["fs.write", "Creates and replaces files"],
  ["net.fetch", "Talks to hosts over http and https"],
  ["shell.run", "Starts programs"],
  ["clipboard", "Reads or sets the clipboard"],
  ["index", "Searches the index of applications, commands and files"],
  ["box", "Runs a command in an isolated machine"],
  ["lsp", "Asks a language server"],
  ["config", "Reads or sets display settings"],
]

const variables: readonly (readonly [name: string, meaning: string])[] = [
  ["{workspace}", "Every root of the session"],
  ["{ad-hoc}", "The folders of single files that the host added to the session"],
  ["{user-data}", "Data of the user that Haft keeps, `data` in the folder of its state"],
  ["{web-search}", "The hosts of the configured search service, or else of those that a session may choose"],
  ["{search-engines}", "The hosts of every search service that can be asked with the configuration"],
]

/** The page of what tools may require and which tools do. */
export function capabilityPage(catalog: readonly ToolDefinition[]): string {
  const users = (name: string) =>
    catalog.filter(({ manifest }) => requiredBy(manifest.requires).some(([required]) => required === name))
  return page(
    generatedNote,
    "# Capabilities",
    "A tool declares in `requires` what it needs from the world. It gets exactly these ports, and every call is checked against them with the paths and hosts that the call names.",
    table(
      ["capability", "what it opens", "tools"],
      capabilities.map(([name, meaning]) => [
        code(name),
        meaning,
        users(name)
          .map(({ manifest }) => `[${manifest.id}](tools/${manifest.id}.md)`)
          .join(", ") || "none yet",
      ]),
    ),
    "Patterns may use variables. A variable with no value is an empty scope: nothing matches.",
    table(
      ["variable", "means"],
      variables.map(([name, meaning]) => [code(name), meaning]),
    ),
    "## Per tool",
    table(
      ["tool", "requires", "reach"],
      catalog.map(({ manifest }) => [
        `[${manifest.id}](tools/${manifest.id}.md)`,
        requirementText(manifest.requires),
        manifest.tier,
      ]),
    ),
  )
}

/** What a requirement set opens, as capability names with their patterns. */
function requiredBy(requires: RequirementSet): readonly (readonly [name: string, patterns: readonly string[]])[] {
  const found: (readonly [string, readonly string[]])[] = []
  if (requires.fs?.read) found.push(["fs.read", requires.fs.read])
  if (requires.fs?.write) found.push(["fs.write", requires.fs.write])
  if (requires.net) found.push(["net.fetch", requires.net.hosts])
  if (requires.shell) found.push(["shell.run", requires.shell.map(({ cmd }) => cmd)])
  for (const name of requires.capabilities ?? []) found.push([name, []])
  return found
}

/** A requirement set in one line. */
export function requirementText(requires: RequirementSet): string {
  const parts = requiredBy(requires).map(([name, patterns]) => [code(name), ...patterns.map(code)].join(" "))
  return parts.join("; ") || "nothing"
}
