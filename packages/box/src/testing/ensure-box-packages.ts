import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { systemProgramFolders } from "../machine/machine-host.js"

const wanted = [
  { program: "qemu-system-x86_64", package: "qemu-system-x86" },
  { program: "bwrap", package: "bubblewrap" },
  { program: "mmdebstrap", package: "mmdebstrap" },
  { program: "mke2fs", package: "e2fsprogs" },
  { program: "lz4", package: "lz4" },
] as const

/** Installs what boxes need, as root on a Debian system; the result says what stays missing, or is undefined. */
export function ensureBoxPackages(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return "machines need Linux on x86-64"
  const missing = wanted.filter(({ program }) => !isInstalled(program))
  if (missing.length > 0 && process.getuid?.() === 0 && isInstalled("apt-get")) {
    const quiet = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const
    spawnSync("apt-get", ["update", "-qq"], quiet)
    const names = missing.map((item) => item.package)
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], quiet)
  }
  const still = wanted.filter(({ program }) => !isInstalled(program)).map((item) => item.package)
  return still.length === 0 ? undefined : `install ${still.join(" ")}`
}

function isInstalled(program: string): boolean {
  return systemProgramFolders.some((folder) => existsSync(join(folder, program)))
}
