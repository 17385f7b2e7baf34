import { isInside } from "@haft/contract"
import type { Mount } from "./view/mount.js"

/** A writable tree of a view, with how many mounts lie in it. */
export interface MountedTree {
  readonly path: string
  readonly mounts: number
}

/** Said inside a sandbox whose mounts are not where they belong, before anything runs there. */
export const movedMounts = "haft-sandbox: the workspace was changed by another process while the sandbox was built"

/** What is to be counted again inside; nothing where somebody mounted more than the view itself below a tree. */
export function mountedTrees(
  view: readonly Mount[],
  trees: readonly string[],
  hostMounts: readonly string[],
): readonly MountedTree[] {
  return trees
    .filter((path) => !hostMounts.some((place) => place !== path && isInside(place, path)))
    .map((path) => ({ path, mounts: view.filter((mount) => isMountBelow(mount, path)).length }))
}

function isMountBelow({ kind, target }: Mount, path: string): boolean {
  return kind !== "freeze" && kind !== "link" && target !== path && isInside(target, path)
}

/** The arguments that `findMovedMounts` takes away from the front: a path as the kernel writes it, and a number, for each. */
export function treeArguments(trees: readonly MountedTree[]): readonly string[] {
  return trees.flatMap(({ path, mounts }) => [asInMountTable(path), String(mounts)])
}

/**
 * Text for a shell that looks whether every mount in these trees shows what lies at its own path, or is one of the sandbox's
 * own covers. While a sandbox is built, a command behind another one could exchange a folder that both can write for a link,
 * and what the link leads to outside would be mounted. Only built-in words; what to do then is said by the caller.
 */
export function findMovedMounts(trees: number, whenMoved: string): string {
  return `haft_trees=${trees}
while [ "$haft_trees" -gt 0 ]; do
  haft_left=$2 haft_own= haft_base=
  while read -r haft_one haft_one haft_device haft_at haft_point haft_rest; do
    case $haft_point in
      "$1") haft_own=$haft_device haft_base=\${haft_at%/} ;;
      "$1"/*)
        case "$haft_device $haft_at" in
          "$haft_own $haft_base\${haft_point#"$1"}" | *" "*/sandbox/blank) haft_left=$((haft_left - 1)) ;;
          *) case $haft_rest in *" tmpfs "*size=4k*) haft_left=$((haft_left - 1)) ;; esac ;;
        esac ;;
    esac
  done < /proc/self/mountinfo
  [ "$haft_left" = 0 ] || { ${whenMoved}; }
  shift 2
  haft_trees=$((haft_trees - 1))
done
unset haft_trees haft_left haft_own haft_base haft_one haft_device haft_at haft_point haft_rest`
}

/** The kernel writes blanks, line breaks and backslashes of a path as octal numbers. */
function asInMountTable(path: string): string {
  return path.replaceAll(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`)
}
