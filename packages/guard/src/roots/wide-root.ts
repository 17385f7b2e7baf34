import { isInside } from "@haft/contract"
import { fold } from "../path.js"

/** The places that make a root wide when it holds them. */
export interface RootPlaces {
  readonly home: string
  readonly haftHome: string
  readonly haftConfig: string
}

/** Why a root reaches too far to be chosen by default, or undefined for an ordinary one. */
export function wideRoot(path: string, places: RootPlaces): string | undefined {
  const root = fold(path)
  if (root === "/") return "it is the whole file system"
  const home = fold(places.home)
  if (root === home) return "it is your home directory"
  if (isInside(home, root)) return "it holds your home directory"
  for (const [place, name] of [
    [places.haftHome, "state"],
    [places.haftConfig, "configuration"],
  ] as const) {
    const own = fold(place)
    if (isInside(own, root)) return `it holds the ${name} of Haft`
    if (isInside(root, own)) return `it is in the ${name} of Haft`
  }
  if (systemFolders.has(root)) return "it is a system directory"
  const system = systemTrees.find((tree) => isInside(root, tree))
  return system && !ownTrees.some((tree) => root !== tree && isInside(root, tree))
    ? "it is a system directory"
    : undefined
}

// Wide themselves, but people keep projects below them.
const systemFolders: ReadonlySet<string> = new Set([
  "/applications",
  "/home",
  "/media",
  "/mnt",
  "/opt",
  "/private",
  "/private/var",
  "/root",
  "/run",
  "/srv",
  "/users",
  "/var",
  "/var/lib",
  "/var/log",
  "/var/run",
  "/volumes",
])

// Wide with all that is below.
const systemTrees: readonly string[] = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib32",
  "/lib64",
  "/library",
  "/private/etc",
  "/proc",
  "/sbin",
  "/sys",
  "/system",
  "/usr",
]

// Parts of the former that belong to people.
const ownTrees: readonly string[] = ["/usr/local", "/usr/src", "/usr/home"]
