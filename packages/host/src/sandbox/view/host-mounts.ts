import { isInside } from "@haft/contract"

/** A mount of the host, as far as it matters for making it read-only. */
export interface HostMount {
  readonly path: string
  /** Options that must be said again: a namespace may add to them, not take away. */
  readonly flags: string
}

const kept = new Set(["nosuid", "nodev", "noexec", "noatime", "nodiratime", "relatime"])

/** Reads /proc/self/mountinfo. */
export function parseMounts(mountInfo: string): readonly HostMount[] {
  return mountInfo
    .split("\n")
    .map((line) => line.split(" "))
    .filter((fields) => fields.length > 6)
    .map((fields) => ({
      path: plainText(fields[4]!),
      flags: fields[5]!
        .split(",")
        .filter((flag) => kept.has(flag))
        .map((flag) => `,${flag}`)
        .join(""),
    }))
}

/** The mount that a path is in. */
export function mountOf(path: string, mounts: readonly HostMount[]): HostMount | undefined {
  let best: HostMount | undefined
  for (const mount of mounts) {
    if (isInside(path, mount.path) && (!best || mount.path.length >= best.path.length)) best = mount
  }
  return best
}

/** The mounts below a path, outermost first. */
export function mountsBelow(path: string, mounts: readonly HostMount[]): readonly HostMount[] {
  return mounts.filter((mount) => mount.path !== path && isInside(mount.path, path))
}

/** Spaces and the like are written as three octal digits. */
export function plainText(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
