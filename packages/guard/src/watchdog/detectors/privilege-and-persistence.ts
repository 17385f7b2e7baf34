import type { CommandPartAnalysis } from "../../command/command-analysis.js"
import { joinPath } from "../../path/join-path.js"
import { programsOf } from "../command-words.js"
import type { Detector, DetectorVerdict, WatchdogRequest } from "../detector.js"

/** Asks before a command takes more rights, or leaves something behind that runs later by itself. */
export const privilegeAndPersistence: Detector = {
  id: "privilege-and-persistence",
  about: "Taking other rights, changing users and services, and files that start programs at login or on a schedule",
  inspect,
}

const allow: DetectorVerdict = { verdict: "allow" }

function inspect({ command, arguments: values }: WatchdogRequest): DetectorVerdict {
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
    return `"${part.text}" lets whoever runs the file take its owner's rights`
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
