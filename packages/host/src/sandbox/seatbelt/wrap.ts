import { dirname } from "node:path"
import { isBelow } from "@haft/contract"
import type { Detected, SandboxPlan, Wrapped } from "../backend.js"

/** The arguments for sandbox-exec. Paths stay where they are on macOS, so the private home is named by variable. */
export function wrapWithSeatbelt(plan: SandboxPlan, { programs }: Detected): Wrapped {
  const { text, parameters } = seatbeltProfile(plan)
  const home = plan.mounts.find((mount) => mount.kind === "write" && mount.source !== mount.target)
  return {
    file: programs["sandbox-exec"]!,
    descriptors: [],
    args: [
      "-p",
      text,
      ...Object.entries(parameters).flatMap(([name, value]) => ["-D", `${name}=${value}`]),
      "--",
      ...plan.argv,
    ],
    ...(home?.kind === "write" && { environment: { HOME: home.source, TMPDIR: home.source } }),
  }
}

/** A profile with the values that it refers to by name. */
export interface SeatbeltProfile {
  readonly text: string
  /** Paths are never part of the text itself: a quote in one could end it. */
  readonly parameters: Readonly<Record<string, string>>
}

/** Writes the rules of macOS's sandbox: everything is denied that is not named, later lines win over earlier ones. */
export function seatbeltProfile(plan: Pick<SandboxPlan, "mounts" | "proxyPort">): SeatbeltProfile {
  const parameters: Record<string, string> = {}
  const name = (path: string) => {
    const key = `PATH_${Object.keys(parameters).length}`
    parameters[key] = path
    return `(param "${key}")`
  }
  const { mounts } = plan
  const readable = mounts.flatMap((mount) => (mount.kind === "read" || mount.kind === "write" ? [mount.source] : []))
  const writable = mounts.flatMap((mount) => (mount.kind === "write" ? [mount.source] : []))
  const frozen = mounts.flatMap((mount) => {
    if (mount.kind === "placeholder") return [mount.target]
    return mount.kind === "read" && writable.some((folder) => isBelow(mount.source, folder)) ? [mount.source] : []
  })
  const hidden = mounts.flatMap((mount) => (mount.kind === "hide" ? [mount.target] : []))
  const ancestors = [...new Set([...frozen, ...hidden].flatMap((path) => between(path, writable)))]
  const text = [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow signal (target same-sandbox))",
    "(allow process-info* (target same-sandbox))",
    "(allow sysctl-read)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.SecurityServer"))',
    "(allow file-read-metadata)",
    ...systemFolders.map((folder) => `(allow file-read* (subpath "${folder}"))`),
    '(allow file-read* (literal "/"))',
    '(allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom"))',
    '(allow file-read* file-write* (regex #"^/dev/fd/"))',
    ...readable.map((path) => `(allow file-read* (subpath ${name(path)}))`),
    ...writable.map((path) => `(allow file-write* (subpath ${name(path)}))`),
    ...frozen.map((path) => `(deny file-write* (subpath ${name(path)}))`),
    // A folder that could be renamed would take the rules for what is in it along.
    ...ancestors.map((path) => `(deny file-write-unlink (literal ${name(path)}))`),
    ...hidden.map((path) => `(deny file-read* file-write* (subpath ${name(path)}))`),
    ...(plan.proxyPort === undefined
      ? []
      : [`(allow network-outbound (remote ip "localhost:${plan.proxyPort}"))`, "(allow system-socket)"]),
  ].join("\n")
  return { text: `${text}\n`, parameters }
}

const systemFolders = [
  "/usr",
  "/bin",
  "/sbin",
  "/System",
  "/Library/Apple",
  "/Library/Developer",
  "/Library/Frameworks",
  "/Applications/Xcode.app",
  "/opt",
  "/private/etc",
  "/private/var/db/timezone",
  "/private/var/db/dyld",
  "/private/var/select",
]

/** The folders from a path up to the writable one it is in. */
function between(path: string, writable: readonly string[]): readonly string[] {
  const root = writable.find((folder) => isBelow(path, folder))
  if (root === undefined) return []
  const found: string[] = []
  for (let parent = dirname(path); isBelow(parent, root); parent = dirname(parent)) found.push(parent)
  return found
}
