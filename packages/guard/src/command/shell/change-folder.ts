import { joinPath } from "../../path/join-path.js"
import type { Place } from "./scope.js"
import type { Walk } from "./walk.js"

/** Where a path leads from a place. */
export function changeFolder(walk: Walk, place: Place, path: string): Place {
  if (place === null) return path.startsWith("/") ? (walk.context.resolve?.(path, "/") ?? joinPath("/", path)) : null
  return walk.context.resolve?.(path, place) ?? joinPath(place, path)
}
