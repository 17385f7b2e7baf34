/** The sandboxes that a command can run behind; the verdict chooses one. */
export const sandboxProfiles = ["read-only", "workspace-write", "workspace-write+net", "server"] as const
/** `read-only`: workspace read-only; `workspace-write`: writable; `workspace-write+net`: plus granted hosts; `server`: nothing of the workspace. */
export type SandboxProfile = (typeof sandboxProfiles)[number]

/** What the host must do when it has no way to confine: refuse, run unconfined and say so, or never confine. */
export type SandboxPolicy = "required" | "preferred" | "off"

/** The sandbox of one call, decided by guard; the host builds it from this alone. */
export interface SandboxSpec {
  readonly profile: SandboxProfile
  /** Hosts that may be reached, as `host`, `host:port`, `*.suffix` or `@bundle`; empty: no network. */
  readonly hosts: readonly string[]
  /** Protected names that a person approved for this call and that are not held; with a slash behind it a folder alone. */
  readonly approved: readonly string[]
  /** The user's configuration lists this command as one that runs outside the sandbox, and a person said yes. */
  readonly unconfined: boolean
  /** Files outside the workspace that the command may change; they are put in place after it has ended. */
  readonly outside?: readonly OutsideWrite[]
}

/** A file or folder outside the workspace that a command was judged to change, with all that is in it. */
export interface OutsideWrite {
  readonly kind: "fs.write" | "fs.delete"
  /** Absolute, links followed. */
  readonly path: string
  /** Absolute, as the command names it. */
  readonly absolute: string
}

/** What really confined a command; part of its result. */
export interface Isolation {
  readonly level: "namespaces" | "vm" | "vm-emulated" | "container" | "profile" | "none"
  /** For instance `bwrap 0.8.0`, `unshare`, `seatbelt`, `none`. */
  readonly backend: string
  readonly profile: SandboxProfile | "none"
  readonly network: "none" | "proxy" | "host"
  readonly limits: { readonly enforcedBy: "cgroup2" | "cgroup1" | "rlimit" | "none" }
  /** What a reader should know: no system-call filter, files that are not masked, ... */
  readonly notes: readonly string[]
  /** Folders that were not looked through for files that rules deny, because nobody does: installed packages, objects of git. */
  readonly unscanned?: readonly string[]
}
