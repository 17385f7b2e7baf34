import type { Detected, SandboxPlan } from "../backend.js"

/** A sandbox as an ordinary user would get it, with one of everything; the same on every machine. */
export const samplePlan: SandboxPlan = {
  argv: ["/bin/bash", "-c", "echo 'it'\"'\"'s $HOME'"],
  mounts: [
    { kind: "read", source: "/usr", target: "/usr" },
    { kind: "link", target: "/bin", text: "usr/bin" },
    { kind: "read", source: "/etc", target: "/etc" },
    { kind: "processes", target: "/proc" },
    { kind: "devices", target: "/dev" },
    { kind: "memory", target: "/tmp", maxBytes: 1024, mode: 0o1777 },
    { kind: "read", source: "/home/ann/.haft/sandbox/hosts", target: "/etc/hosts" },
    { kind: "write", source: "/home/ann/.haft/sessions/s1/home", target: "/home/ann" },
    { kind: "read", source: "/home/ann/.rustup", target: "/home/ann/.rustup" },
    { kind: "write", source: "/work/a project", target: "/work/a project" },
    { kind: "write", source: "/work/a project/.git", target: "/work/a project/.git" },
    { kind: "read", source: "/work/a project/.git/hooks", target: "/work/a project/.git/hooks" },
    { kind: "hide", target: "/work/a project/.env", what: "file" },
    { kind: "hide", target: "/work/a project/deep/secrets", what: "directory" },
    { kind: "placeholder", target: "/work/a project/.vscode" },
    { kind: "freeze", target: "/" },
  ],
  directory: "/work/a project",
  profile: "workspace-write",
  identity: { kind: "self", uid: 1000, gid: 1000 },
  blankFile: "/home/ann/.haft/sandbox/blank",
  filterFile: "/home/ann/.haft/sandbox/filter-x64",
  limits: { processes: 512, openFiles: 4096, fileBytes: 2 * 1024 ** 3 },
  limitProcesses: true,
  environment: { PATH: "/usr/bin" },
  variant: { processes: true, lockUserNamespaces: true },
  held: ["/work/a project"],
}

/** Programs at the places where a distribution has them. */
export const sampleDetected: Detected = {
  found: true,
  label: "sample",
  fingerprint: "",
  programs: {
    bwrap: "/usr/bin/bwrap",
    unshare: "/usr/bin/unshare",
    setpriv: "/usr/bin/setpriv",
    setsid: "/usr/bin/setsid",
    mount: "/usr/bin/mount",
    umount: "/usr/bin/umount",
    pivot_root: "/usr/sbin/pivot_root",
    ip: "/usr/sbin/ip",
    "sandbox-exec": "/usr/bin/sandbox-exec",
    node: "/usr/bin/node",
  },
}
