import { visibleLine } from "@haft/guard"
import type { Say } from "@haft/language"
import { findPlaces } from "../../config/places.js"
import { type InstalledExtension, InstalledExtensions } from "../../extensions/installed-extensions.js"
import { columns } from "../../terminal/columns.js"
import { type Io, managedFile } from "../io.js"

/** The extensions of the user who runs this command. */
export function extensionsHere(io: Io): InstalledExtensions {
  return new InstalledExtensions(findPlaces(io.env, io.cwd, io.managedFile ?? managedFile))
}

/** An extension as JSON tells it. */
export function extensionValue({ id, state, reason, read, folder, hosts, linked }: InstalledExtension) {
  const { name, version, permissions, requires, calls, tools } = read?.manifest ?? {}
  return {
    ...{ id, state, ...(reason !== undefined && { reason }), folder, linked },
    ...(read && { name, version, permissions, requires, calls, tools: tools!.map((tool) => `${id}:${tool.id}`) }),
    granted_hosts: hosts,
  }
}

/** What a person has to know about an extension before they enable it. */
export function extensionText({ id, state, reason, read, hosts }: InstalledExtension, say: Say): string {
  const lines = [reason === undefined ? say`${id} is ${state}` : say`${id} is ${state}: ${visibleLine(say(reason))}`]
  if (read) {
    const { tools, calls, requires } = read.manifest
    const scope = [
      ...(requires.fs?.read ?? []).map((path) => say`read ${path}`),
      ...(requires.fs?.write ?? []).map((path) => say`write ${path}`),
    ]
    const wanted = (requires.net?.hosts ?? []).map((host) =>
      hosts.includes(host) ? say`${host} (granted)` : say`${host} (not granted)`,
    )
    const asked = [...calls.map((tool) => say`calls of ${tool}`), ...scope]
    const facts = [
      [say`brings`, tools.map((tool) => `${id}:${tool.id}`).join(", ") || say`no tools`],
      [say`asks for`, visibleLine(asked.join(", ") || say`nothing`, 300)],
      [say`hosts`, visibleLine(wanted.join(", ") || say`none`, 300)],
    ]
    lines.push(columns(facts.map(([label, value]) => [`  ${label}`, value!])))
  }
  return lines.join("\n")
}
