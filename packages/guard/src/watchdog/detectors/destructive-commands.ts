import { isInside } from "@haft/contract"
import type { CommandPartAnalysis } from "../../command/command-analysis.js"
import { joinPath } from "../../path/join-path.js"
import { programsOf } from "../command-words.js"
import type { Detector, DetectorVerdict, WatchdogRequest } from "../detector.js"

/** Refuses commands that would remove or overwrite what the machine or the user lives on. */
export const destructiveCommands: Detector = {
  id: "destructive-commands",
  about: "Removing or overwriting system directories, whole homes and disks, and commands that multiply without end",
  commandsOnly: true,
  inspect,
}

const allow: DetectorVerdict = { verdict: "allow" }

function inspect({ command, home }: WatchdogRequest): DetectorVerdict {
  let doubt: DetectorVerdict = allow
  for (const part of command?.parts ?? []) {
    const reason = destroys(part, home)
    if (reason) return { verdict: "deny", reason }
    const risk = mayDestroy(part)
    if (risk) doubt = { verdict: "ask", reason: risk }
  }
  return doubt
}

function destroys(part: CommandPartAnalysis, home: string | undefined): string | undefined {
  const program = programsOf(part).find((name) => diskPrograms.test(name))
  if (program) return `"${program}" rewrites disks`
  if (isForkBomb(part.text)) return "the command starts itself over and over"
  const absolute = (path: string) => joinPath(part.directory, path)
  const removed = part.deletes.map(absolute).find((path) => isVital(path, home))
  if (removed) return `"${part.text}" removes "${removed}"`
  const disk = part.writes.map(absolute).find((path) => diskDevices.test(path))
  if (disk) return `"${part.text}" overwrites the disk "${disk}"`
  const changed = changesAll(part) ? part.writes.map(absolute).find((path) => isVital(path, home)) : undefined
  return changed ? `"${part.text}" changes everything below "${changed}"` : undefined
}

const diskPrograms = /^(?:mkfs(?:\..*)?|mkswap|wipefs|fdisk|sfdisk|cfdisk|parted|sgdisk|blkdiscard|badblocks|hdparm)$/
const diskDevices = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|loop|dm-|mapper\/|mem$|kmem$|port$)/

/** Looks only around the few places where a function begins: the pattern would take long on a text without any. */
function isForkBomb(text: string): boolean {
  let at = text.indexOf("()")
  for (let count = 0; at >= 0 && count < maxFunctions; count++, at = text.indexOf("()", at + 2)) {
    if (forkBomb.test(text.slice(Math.max(0, at - maxName), at + maxBody))) return true
  }
  return false
}

const forkBomb = /([\w:.-]{1,40})\s{0,4}\(\)\s{0,4}\{[^}]{0,80}?\1\s{0,4}\|\s{0,4}\1\s{0,4}&/
const maxFunctions = 64
const maxName = 44
const maxBody = 200

/** The directories that a system cannot do without, and the home itself. */
function isVital(path: string, home: string | undefined): boolean {
  if (path === "/" || (home !== undefined && isInside(home, path))) return true
  return isOfSystem(path) || topFolders.has(path)
}

function isOfSystem(path: string): boolean {
  return systemTrees.some((tree) => isInside(path, tree))
}

const systemTrees = [
  "/bin",
  "/boot",
  "/etc",
  "/lib",
  "/lib32",
  "/lib64",
  "/proc",
  "/sbin",
  "/sys",
  "/usr/bin",
  "/usr/lib",
  "/usr/sbin",
  "/usr/share",
  "/System",
  "/Library",
]
const topFolders = new Set([
  "/dev",
  "/home",
  "/opt",
  "/root",
  "/run",
  "/srv",
  "/usr",
  "/usr/local",
  "/var",
  "/var/lib",
  "/Users",
  "/Applications",
  "/private",
])

function changesAll({ argv }: CommandPartAnalysis): boolean {
  return (
    /^(?:.*\/)?(?:chmod|chown|chgrp)$/.test(argv[0] ?? "") &&
    argv.some((word) => /^(?:-[a-zA-Z]*R[a-zA-Z]*|--recursive)$/.test(word))
  )
}

/** A file of the system that is overwritten; `rm -rf "$folder/"*` removes everything when the variable is empty. */
function mayDestroy({ argv, unresolved, text, writes, directory }: CommandPartAnalysis): string | undefined {
  const system = writes.map((path) => joinPath(directory, path)).find((path) => isOfSystem(path))
  if (system) return `"${text}" overwrites "${system}"`
  if (!/^(?:.*\/)?rm$/.test(argv[0] ?? "")) return undefined
  const word = unresolved.find((each) => /^["']?\$\{?\w+\}?["']?\/["']?\*?["']?$/.test(each))
  return word ? `"${text}" removes everything when ${word} is empty` : undefined
}
