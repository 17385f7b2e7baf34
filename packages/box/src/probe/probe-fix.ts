import type { BoxProbe } from "../refusal.js"

/** What to do about a backend that fails, where that is known. */
export function probeFix({ why }: Pick<BoxProbe, "why">): string | undefined {
  const missing = /^(\S+)(?: or \S+)* not found$/.exec(why ?? "")?.[1]
  return missing === undefined ? undefined : `apt-get install ${packageOf(missing)}`
}

/** The package of a program, as Debian calls it. */
export function packageOf(program: string): string {
  return packages[program] ?? program
}

const packages: Readonly<Record<string, string>> = {
  "qemu-system-x86_64": "qemu-system-x86",
  bwrap: "bubblewrap",
  prlimit: "util-linux",
  setpriv: "util-linux",
  debugfs: "e2fsprogs",
  mke2fs: "e2fsprogs",
  "dpkg-deb": "dpkg",
}
