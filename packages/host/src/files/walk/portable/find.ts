import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { lstat, readlink } from "../../system/file-call.js"
import type { Program } from "../../system/program.js"
import { assertSameRoot } from "../assert-same-root.js"
import { followLink } from "../follow-link.js"
import type { HeldDirectory, Place, RootSet, Target } from "../walk.js"
import { heldDirectory } from "./hold.js"

/** Finds the entry that a path resolves to; every part is looked at before the next one. */
export function* find(first: Target, roots: RootSet): Program<Place> {
  let target = first
  for (let links = 0; ; ) {
    yield* assertSameRoot(target)
    const outcome = yield* walkToLink(target)
    if ("directory" in outcome) return outcome
    target = yield* followLink(target, { ...outcome, count: ++links }, roots)
  }
}

type LinkOnTheWay = { readonly path: string; readonly text: string; readonly rest: readonly string[] }

function* walkToLink(target: Target): Program<Place | LinkOnTheWay> {
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
