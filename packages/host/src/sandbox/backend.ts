import { statSync } from "node:fs"
import type { Isolation, SandboxProfile } from "@haft/contract"
import type { Descriptor } from "./launch/descriptors.js"
import type { MountedTree, ShellLimits } from "./launch/inside-command.js"
import type { Mount } from "./view/mount.js"

/** The ways to confine a command, best first. */
export const backendNames = ["bwrap", "unshare", "seatbelt"] as const
/** One of the ways to confine a command. */
export type BackendName = (typeof backendNames)[number]

/** A way to confine commands. Each lives in a folder of its own with the same two files. */
export interface Backend {
  readonly name: BackendName
  readonly level: Isolation["level"]
  /** Looks for what the backend needs; runs nothing. */
  detect(where: DetectRequest): Promise<Detected | Missing>
  /** The program and its arguments that run `plan.argv` in the sandbox. */
  wrap(plan: SandboxPlan, detected: Detected): Wrapped
  /** Tells a sandbox that could not be set up from a command that failed: the reason, or undefined. */
  explain(end: EndOfSandbox): string | undefined
  /** How its commands reach the proxy: by a relay inside, at a port of the host, or not at all. */
  readonly reach: "relay" | "port" | "none"
  /** What a reader of the result should know about this way. */
  notes(detected: Detected): readonly string[]
}

/** Where to look for programs. */
export interface DetectRequest {
  readonly searchPath: readonly string[]
  readonly roots: readonly string[]
}

/** A backend that seems usable; the probe shows whether it is. */
export interface Detected {
  readonly found: true
  /** As shown in results, for instance `bwrap 0.8.0`. */
  readonly label: string
  /** Changes when the programs change, so that an old probe is not believed. */
  readonly fingerprint: string
  /** Absolute paths by name. */
  readonly programs: Readonly<Record<string, string>>
}

/** A backend that cannot be used, and what would help. */
export interface Missing {
  readonly found: false
  readonly reason: string
  readonly fix?: string
}

/** Everything a backend needs to know to build a sandbox around one command. */
export interface SandboxPlan {
  readonly argv: readonly string[]
  readonly mounts: readonly Mount[]
  readonly directory: string
  readonly profile: SandboxProfile
  readonly identity: Identity
  /** Empty file of mode 000. */
  readonly blankFile: string
  /** File with the system-call filter, where there is one for this machine. */
  readonly filterFile?: string
  /** Network through the relay on this descriptor, or none. */
  readonly relay?: RelayPlan
  /** The port of a proxy on the host, for backends without a network of their own. */
  readonly proxyPort?: number
  readonly limits: ShellLimits & { readonly processes: number }
  /** True when no control group counts processes, so that the sandbox itself must limit them. */
  readonly limitProcesses: boolean
  readonly environment: Readonly<Record<string, string>>
  /** What the probe found this machine to allow. */
  readonly variant: SandboxVariant
  /** Writable trees in which a command in another sandbox may change something while this one is built. */
  readonly trees?: readonly MountedTree[]
  /** Trees that are held open, by their paths: what is shown of them is shown from the descriptors. */
  readonly held?: readonly string[]
  /** The sandbox is prewarmed: its program reads at a descriptor of its own what it becomes. */
  readonly waits?: boolean
}

/** Parts of a sandbox that some machines refuse; the probe finds out which. */
export interface SandboxVariant {
  /** A process table of its own; without it /proc is an empty folder. */
  readonly processes: boolean
  /** Further user namespaces are switched off; without it the system-call filter alone refuses them. */
  readonly lockUserNamespaces: boolean
}

/** The relay that carries connections of the command to the proxy outside. */
export interface RelayPlan {
  readonly node: string
  readonly source: string
}

/** A program to start, with the files it wants opened on descriptors from 3 on. */
export interface Wrapped {
  readonly file: string
  readonly args: readonly string[]
  /** In the order of their descriptors, the first is 3. */
  readonly descriptors: readonly Descriptor[]
  /** What is read from the descriptor `arguments`, each ended by NUL: no list of processes shows them. */
  readonly hiddenArguments?: readonly string[]
  /** Variables that only this backend needs. */
  readonly environment?: Readonly<Record<string, string>>
  /** A shell inside the sandbox lowers the limits, so that none is needed in front of it. */
  readonly lowersLimits?: true
}

/** How a wrapped process ended. */
export interface EndOfSandbox {
  readonly stderrTail: string
  readonly exitCode: number | null
  /** What was written to the status descriptor. */
  readonly status: string
  /** A shell inside that had to start a relay has reported that it did; true also where there is none to start. */
  readonly relayRuns: boolean
}

/** Who a confined command is. */
export type Identity =
  /** The user that started Haft, in a user namespace. */
  | { readonly kind: "self"; readonly uid: number; readonly gid: number }
  /** User 0 without capabilities: the root directory belongs to it. */
  | { readonly kind: "root" }
  /** Haft runs as user 0; the command becomes the owner of the root directory. */
  | { readonly kind: "owner"; readonly uid: number; readonly gid: number }

/** An ordinary user stays itself; user 0 becomes the owner of the root directory. */
export function chooseIdentity(root: string, canBecome: boolean): Identity {
  const uid = process.getuid?.() ?? -1
  if (uid !== 0) return { kind: "self", uid, gid: process.getgid?.() ?? -1 }
  const owner = statSync(root, { throwIfNoEntry: false })
  if (!canBecome || !owner || owner.uid === 0) return { kind: "root" }
  return { kind: "owner", uid: owner.uid, gid: owner.gid }
}
