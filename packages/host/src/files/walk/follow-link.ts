import { dirname, resolve } from "node:path"
import { ToolError } from "@haft/contract"
import type { Program } from "../system/program.js"
import { assertSameRoot } from "./assert-same-root.js"
import { resolveLinks } from "./resolve-links.js"
import { maxLinks, type Place, type RootSet, type Target } from "./walk.js"

/** A symbolic link that a walk came to. */
export interface FoundLink {
  /** Absolute path of the link, links before it followed. */
  readonly path: string
  readonly text: string
  /** Parts of the walked path behind the link. */
  readonly rest: readonly string[]
}

/** Walks until there is no link on the way; `walk` ends at the first one. */
export function* followLinks(
  first: Target,
  roots: RootSet,
  walk: (target: Target) => Program<Place | FoundLink>,
): Program<Place> {
  let target = first
  for (let links = 0; ; ) {
    yield* assertSameRoot(target)
    const outcome = yield* walk(target)
    if ("directory" in outcome) return outcome
    links += 1
    target = yield* followLink(target, { ...outcome, count: links }, roots)
  }
}

/**
 * The target with which a walk starts again behind a link. A link out of all roots is refused. The link's text is only
 * a proposal: the new walk checks every part of it again.
 */
function* followLink(target: Target, link: FoundLink & { readonly count: number }, roots: RootSet): Program<Target> {
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
