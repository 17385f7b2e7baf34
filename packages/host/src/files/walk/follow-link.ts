import { dirname, resolve } from "node:path"
import { ToolError } from "@haft/contract"
import type { Program } from "../system/program.js"
import { resolveLinks } from "./resolve-links.js"
import { maxLinks, type RootSet, type Target } from "./walk.js"

/** A symbolic link that a walk came to. */
export interface FoundLink {
  /** Absolute path of the link, links before it followed. */
  readonly path: string
  readonly text: string
  /** Parts of the walked path behind the link. */
  readonly rest: readonly string[]
  /** Links followed so far, this one included. */
  readonly count: number
}

/**
 * The target with which a walk starts again behind a link. A link out of all roots is refused. The link's text is only
 * a proposal: the new walk checks every part of it again.
 */
export function* followLink(target: Target, link: FoundLink, roots: RootSet): Program<Target> {
  if (link.count > maxLinks) {
    throw new ToolError("unsupported", `Cannot ${target.action} "${target.shown}": its links lead in a circle`)
  }
  const absolute = resolve(dirname(link.path), link.text, ...link.rest)
  const direct = roots.target(absolute, target)
  if (direct) return direct
  // The text may name a root by another spelling, for instance through a link above the root.
  const resolved = roots.target(yield* resolveLinks(absolute), target)
  if (resolved) return resolved
  throw new ToolError(
    "denied",
    `Cannot ${target.action} "${target.shown}": the link "${link.path}" leads outside the workspace; use a path inside it`,
    { details: { link: link.path } },
  )
}
