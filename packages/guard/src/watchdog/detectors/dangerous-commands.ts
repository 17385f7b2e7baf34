import { isInside } from "@haft/contract"
import type { CommandPartAnalysis } from "../../command/command-analysis.js"
import { joinPath, nameOf } from "../../path.js"
import { allow, type Detector, type DetectorVerdict, type WatchdogRequest } from "../run-watchdog.js"

/** Asks before a command takes more rights, or leaves something behind that runs later by itself. */
export const privilegeAndPersistence: Detector = {
  id: "privilege-and-persistence",
  about: "Taking other rights, changing users and services, and files that start programs at login or on a schedule",
  inspect: inspectRights,
}

function inspectRights({ command, arguments: values }: WatchdogRequest): DetectorVerdict {
  for (const part of command?.parts ?? []) {
    const reason = privilege(part) ?? persistence(part)
    if (reason) return { verdict: "ask", reason }
  }
  const file = values.file_path
  if (typeof file === "string" && startsByItself.test(file))
    return { verdict: "ask", reason: `"${file}" starts programs by itself` }
  return allow
}

function privilege(part: CommandPartAnalysis): string | undefined {
  const program = programsOf(part).find((name) => privileged.has(name))
  if (program) return `"${program}" takes other rights or changes the whole machine`
  const [name = "", ...words] = part.argv
  if (modesOf(name, words).some((mode) => takesRights.test(mode))) {
    return `"${part.text}" gives every user who runs the file its owner's rights`
  }
  if (/^(?:docker|podman)$/.test(name) && words.some((word) => wholeMachine.test(word))) {
    return `"${part.text}" gives a container the whole machine`
  }
  return undefined
}

/** What may be a mode among the words: the first that is no option, or the value of one. */
function modesOf(name: string, words: readonly string[]): readonly string[] {
  if (/(?:^|\/)chmod$/.test(name)) return words.filter((word) => !/^-[^rwxXst]/.test(word)).slice(0, 1)
  if (!/(?:^|\/)(?:install|mkdir|mknod|mkfifo)$/.test(name)) return []
  return words.flatMap((word, index) => {
    if (/^(?:-\w*m|--mode)$/.test(word)) return words[index + 1] ?? []
    return /^(?:-\w*m|--mode=)(.+)$/.exec(word)?.[1] ?? []
  })
}

const takesRights = /^(?:0*[2467][0-7]{3}$|(?:.*,)?[ugoa]*[+=][rwxXt]*s)/

const wholeMachine =
  /^--privileged|docker\.sock|^(?:-v|--volume)?=?\/:|(?:^|,)(?:source|src)=\/(?:,|$)|^--(?:pid|ipc|uts|userns|cgroupns)=host$/

const privileged = new Set(
  "sudo sudoedit su doas run0 pkexec runuser setcap useradd userdel usermod groupadd groupmod passwd chpasswd visudo vipw insmod modprobe rmmod nsenter chroot mount umount iptables nft ufw sysctl crontab at batch systemctl systemd-run launchctl service update-rc.d chkconfig loginctl ssh-copy-id security tccutil spctl".split(
    " ",
  ),
)

function persistence(part: CommandPartAnalysis): string | undefined {
  const written = part.writes.map((path) => joinPath(part.directory, path)).find((path) => startsByItself.test(path))
  if (written) return `"${written}" starts programs by itself`
  const [name, ...words] = part.argv
  const setting = name === "git" && words.includes("config") ? part.argv.find((word) => gitRuns.test(word)) : undefined
  return setting ? `git runs what "${setting}" says` : undefined
}

const startsByItself =
  /(?:^|\/)\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|pam_environment|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|xinitrc|xprofile|inputrc|envrc)$|(?:^|\/)\.ssh\/(?:authorized_keys2?|rc|config)$|\/\.config\/(?:autostart|systemd|fish|environment\.d)\/|^\/etc\/(?:cron|systemd|init|profile|sudoers|passwd|shadow|group|rc\.local|ld\.so|pam|ssh\/|environment|bash|zsh|udev|apt\/apt\.conf)|\/Library\/Launch(?:Agents|Daemons)\/|^\/var\/spool\/cron|(?:^|\/)\.git\/hooks\/./

const gitRuns =
  /^(?:core\.(?:hookspath|fsmonitor|sshcommand|pager|editor|askpass|gitproxy)|alias\..+|pager\..+|credential\..*helper|filter\..+|diff\..+\.(?:command|textconv)|merge\..+\.driver|init\.templatedir|include\.path|gpg\..*program|uploadpack\.packobjectshook|sequence\.editor)$/i

/** Refuses commands that would remove or overwrite what the machine or the user lives on. */
export const destructiveCommands: Detector = {
  id: "destructive-commands",
  about: "Removing or overwriting system directories, whole homes and disks, and commands that multiply without end",
  commandsOnly: true,
  inspect: inspectDestruction,
}

function inspectDestruction({ command, home }: WatchdogRequest): DetectorVerdict {
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

/** The programs that a part names: its own and the wrappers in front of it, without folders. */
export function programsOf({ argv, wrappers }: CommandPartAnalysis): readonly string[] {
  return argv[0] === undefined ? wrappers : [...wrappers, nameOf(argv[0])]
}

/** Whether a part talks to other machines. */
export function talks(part: CommandPartAnalysis): boolean {
  return part.hosts.length > 0 || programsOf(part).some((program) => talking.has(program))
}

const talking = new Set(
  "curl wget ssh scp sftp rsync nc ncat netcat telnet socat ftp dig nslookup host ping ping6 whois mail sendmail http xh".split(
    " ",
  ),
)

/** Whether a part runs text that it is given. */
export function interprets(part: CommandPartAnalysis): boolean {
  return programsOf(part).some((program) => interpreting.test(program))
}

const interpreting =
  /^(?:(?:ba|da|z|k|a|fi|c|tc)?sh|eval|source|\.|python[\d.]*|node|deno|bun|perl|ruby|php|lua|osascript|xargs)$/
