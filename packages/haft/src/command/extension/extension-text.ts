import { visibleLine } from "@haft/guard"
import { findPlaces } from "../../config/places.js"
import { type InstalledExtension, InstalledExtensions } from "../../extensions/installed-extensions.js"
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
export function extensionText({ id, state, reason, read, hosts }: InstalledExtension): string {
  const lines = [`${id} is ${state}${reason === undefined ? "" : `: ${visibleLine(reason)}`}`]
  if (read) {
    const { tools, calls, requires } = read.manifest
    const scope = [
      ...(requires.fs?.read ?? []).map((path) => `read ${path}`),
      ...(requires.fs?.write ?? []).map((path) => `write ${path}`),
    ]
    lines.push(`  brings    ${tools.map((tool) => `${id}:${tool.id}`).join(", ") || "no tools"}`)
    lines.push(
      `  asks for  ${visibleLine([...calls.map((tool) => `calls of ${tool}`), ...scope].join(", ") || "nothing", 300)}`,
    )
    const wanted = requires.net?.hosts ?? []
    lines.push(
      `  hosts     ${visibleLine(wanted.map((host) => `${host} (${hosts.includes(host) ? "granted" : "not granted"})`).join(", ") || "none", 300)}`,
    )
  }
  return lines.join("\n")
}
