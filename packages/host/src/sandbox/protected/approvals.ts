import { isInside } from "@haft/contract"

/** Paths that a person approved for one command; one that ends in a slash is a folder alone, without what is in it. */
export interface Approvals {
  readonly paths: readonly string[]
  /** Whether the name itself was approved, or all of a folder that it is in. */
  cover(path: string): boolean
  /** Whether something below this folder was approved, or the folder alone. */
  reachInto(path: string): boolean
}

/** The approvals of a command, or of several. */
export function approvalsOf(paths: readonly string[]): Approvals {
  const whole = paths.filter((path) => !path.endsWith("/"))
  const plain = paths.map((path) => (path.endsWith("/") ? path.slice(0, -1) : path))
  return {
    paths,
    cover: (path) => whole.some((one) => isInside(path, one)),
    reachInto: (path) => plain.some((one) => isInside(one, path)),
  }
}
