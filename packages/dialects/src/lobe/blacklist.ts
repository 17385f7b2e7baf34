import type { Rule } from "@haft/contract"

const group = (why: string, permission: string, patterns: readonly string[]): readonly Omit<Rule, "action">[] =>
  patterns.map((pattern) => ({ permission, pattern, why }))

/**
 * LobeHub's own blacklist by what it is about. There it is a list of regular expressions over the text of commands;
 * here the rules are about the effects, so that another spelling of the same command does not get past them.
 */
export const lobeBlacklist: readonly Omit<Rule, "action">[] = [
  ...group("removes the system or a home directory", "fs.delete", ["/", "/*", "~/*", "/home/*", "/Users/*"]),
  ...group("changes accounts or logins", "fs.write", [
    "/etc/passwd",
    "/etc/shadow",
    "/etc/sudoers",
    "/etc/sudoers.d/**",
    "/etc/ssh/sshd_config",
  ]),
  // What an unknown program does with the files that it is given cannot be told; two options may stand before them.
  ...group("changes accounts or logins", "shell.run", [
    "visudo *",
    ...["/etc/passwd", "/etc/shadow", "/etc/sudoers"].flatMap((file) => [`* ${file} *`, `* * ${file} *`]),
  ]),
  ...group("writes to devices or the kernel", "fs.write", ["/dev/*", "/dev/disk/**", "/proc/sys/**", "/sys/**"]),
  ...group("formats or overwrites a disk", "shell.run", ["mkfs *", "mkfs.?* *", "fdisk *", "parted *", "wipefs *"]),
  ...group("switches the firewall off", "shell.run", [
    "ufw disable",
    "iptables -F *",
    "iptables --flush *",
    "nft flush *",
  ]),
  ...group("removes packages of the system", "shell.run", [
    "apt remove *",
    "apt purge *",
    "apt-get remove *",
    "apt-get purge *",
    "yum remove *",
    "dnf remove *",
  ]),
  ...group("changes the owner of whole trees", "shell.run", ["chown -R *", "chown --recursive *"]),
  ...group("gives a shell the rights of its owner", "shell.run", ["chmod u+s *", "chmod +s *", "chmod 4??? *"]),
  ...group("shows accounts or secrets", "fs.read", [
    "/etc/passwd",
    "/etc/shadow",
    "/etc/sudoers",
    "/etc/sudoers.d/**",
    "/dev/mem",
    "/dev/kmem",
    "**/.env",
    "**/.env.*",
    "~/.ssh/id_*",
    "~/.aws/**",
    "~/.docker/config.json",
    "~/.kube/**",
    "~/.git-credentials",
    "~/.npmrc",
  ]),
]
