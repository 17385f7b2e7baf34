import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { lstat, readlink } from "../../system/file-call.js"
import type { Program } from "../../system/program.js"
import { type FoundLink, followLinks } from "../follow-link.js"
import type { HeldDirectory, Place, RootSet, Target } from "../walk.js"
import { heldDirectory } from "./hold.js"

/** Finds the entry that a path resolves to; every part is looked at before the next one. */
export function find(target: Target, roots: RootSet): Program<Place> {
  return followLinks(target, roots, walkToLink)
}

function* walkToLink(target: Target): Program<Place | FoundLink> {
  const { root, parts } = target
  let directory: HeldDirectory = root.held
  for (const [index, name] of parts.entries()) {
    const rest = parts.slice(index + 1)
    const path = directory.entry(name)
    const facts = yield* lstat(path)
    if (facts?.isSymbolicLink()) return { path, text: yield* readlink(path), rest }
    if (!facts || rest.length === 0) return { root, directory, name, rest, facts, path: join(path, ...rest) }
    if (!facts.isDirectory()) {
      throw new ToolError("not_found", `Cannot ${target.action} "${target.shown}": "${path}" is not a directory`)
    }
    directory = heldDirectory(path, facts)
  }
  return { root, directory, name: ".", rest: [], facts: yield* lstat(directory.path), path: directory.path }
}
