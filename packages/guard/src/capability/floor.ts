import { fold } from "../path/fold.js"
import { isInside } from "../path/is-inside.js"
import { wideRoot } from "../roots/wide-root.js"
import { defaultRules } from "../rules/defaults/default-rules.js"
import type { Variables } from "../variables.js"

/** Tells why no scope reaches a path, or undefined where the scopes decide. */
export type Floor = (path: string) => string | undefined

/** The places below every scope: kernel interfaces, what Haft keeps for itself, and the secrets under a wide root. */
export function floorOf(variables: Variables): Floor {
  const known = floors.get(variables)
  if (known) return known
  const floor = buildFloor(variables)
  floors.set(variables, floor)
  return floor
}

// One set of variables serves all calls of a session.
const floors = new WeakMap<Variables, Floor>()

const kernelFolders = ["/proc", "/sys", "/dev"]

function buildFloor(variables: Variables): Floor {
  const own = [fold(variables.haftHome), fold(variables.haftConfig)]
  const open = [
    ...variables.scratch,
    ...variables.sidecars,
    ...variables.tmp,
    ...optional(variables.userData),
    ...optional(variables.planFile),
  ]
  const openFolded = open.map(fold)
  const secrets = variables.workspace.some((root) => wideRoot(root, variables) !== undefined)
    ? homeSecrets(variables)
    : []
  return (path) => {
    const folded = fold(path)
    if (kernelFolders.some((folder) => isInside(folded, folder))) return "is an interface of the system, not a file"
    if (own.some((folder) => isInside(folded, folder)) && !openFolded.some((folder) => isInside(folded, folder))) {
      return "belongs to Haft itself"
    }
    return secrets.some((folder) => isInside(folded, folder)) ? "is where programs keep credentials" : undefined
  }
}

/** The places in the home directory that the default rules keep secret; a wide root does not reach them at all. */
function homeSecrets({ home }: Variables): readonly string[] {
  return defaultRules().flatMap(({ secret, pattern }) =>
    secret && pattern?.startsWith("~/") ? [fold(`${home}/${pattern.slice(2).replace(/\/\*\*$/, "")}`)] : [],
  )
}

function optional(path: string | undefined): readonly string[] {
  return path === undefined ? [] : [path]
}
