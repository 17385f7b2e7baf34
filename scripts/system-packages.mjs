// Programs that some tests need besides what npm installs.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { delimiter, join } from "node:path"

const wanted = [
  { package: "git", present: () => onPath("git"), without: "comparisons with git apply" },
  { package: "bubblewrap", present: () => onPath("bwrap"), without: "the sandbox by bubblewrap" },
  { package: "qemu-system-x86", present: () => onPath("qemu-system-x86_64"), without: "boxes in virtual machines" },
  { package: "mmdebstrap", present: () => onPath("mmdebstrap"), without: "the image of a box" },
  { package: "lz4", present: () => onPath("lz4"), without: "the kernel of a box" },
  { package: "xvfb", present: () => onPath("Xvfb"), without: "the clipboard of a display" },
  { package: "xclip", present: () => onPath("xclip"), without: "the clipboard of a display" },
  { package: "chromium", present: () => onPath("chromium"), without: "the page in a browser" },
  { package: "postgresql", present: () => onPath("initdb") || debianPostgres(), without: "the journal on PostgreSQL" },
]

/** Installs what is missing, as root on a Debian system, and returns a sentence for each thing that stays missing. */
export function installSystemPackages() {
  const missing = wanted.filter(({ present }) => !present())
  if (missing.length > 0 && mayInstall()) {
    const names = missing.map((item) => item.package)
    console.log(`installing system packages: ${names.join(", ")}`)
    const quiet = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } }
    spawnSync("apt-get", ["update", "-qq"], quiet)
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], quiet)
  }
  return missing.filter(({ present }) => !present()).map((item) => `${item.without} (install ${item.package})`)
}

function mayInstall() {
  return process.getuid?.() === 0 && onPath("apt-get")
}

function onPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, program)))
}

function debianPostgres() {
  const base = "/usr/lib/postgresql"
  return existsSync(base) && readdirSync(base).some((version) => existsSync(join(base, version, "bin/initdb")))
}
