import { cpus, loadavg } from "node:os"
import { join } from "node:path"
import { type BoxLevel, boxLevels, removedBoxLevels, ToolError } from "@haft/contract"
import type { ProxySettings } from "@haft/host"
import { systemProgramFolders } from "./machine/machine-host.js"

/** What the operator decides about boxes. Nothing of it can be chosen by a call. */
export interface BoxOptions {
  /** Where images are installed. */
  readonly imagesFolder: string
  /** The weakest isolation that a box may have. */
  readonly minIsolation?: BoxLevel
  /** The image of a call that names none. */
  readonly defaultImage?: string
  /** Destinations that the user named for commands; a machine reaches these and no others. */
  readonly netGrants?: readonly string[]
  /** The proxies of the user's own configuration, for what a machine sends. */
  readonly proxy?: ProxySettings | undefined
  readonly memoryMiB?: number
  readonly maxTimeoutMs?: number
  /** Machines that run at once; further calls wait. */
  readonly maxMachines?: number
  /** Folders in which programs of the system are looked for. */
  readonly programFolders?: readonly string[]
  readonly deadlines?: Partial<BoxDeadlines>
}

/** How long the steps before a command may take. */
export interface BoxDeadlines {
  /** Until a machine with hardware virtualisation has proved that it works. */
  readonly kvmProbeMs: number
  readonly tcgProbeMs: number
  /** From the start of a machine to the start of the command. */
  readonly bootMs: number
  /** The same for a machine that continues a snapshot. */
  readonly restoreMs: number
}

/** The options with what holds where nothing is said. */
export type BoxSettings = Required<Omit<BoxOptions, "deadlines" | "proxy">> &
  Pick<BoxOptions, "proxy"> & { readonly deadlines: BoxDeadlines }

/** Fills in what was left out. A level that does not exist is an error of the configuration. */
export function boxSettings(options: BoxOptions): BoxSettings {
  const { minIsolation = "vm-emulated" } = options
  if (!boxLevels.includes(minIsolation)) {
    const removed = Object.hasOwn(removedBoxLevels, minIsolation) ? `${removedBoxLevels[minIsolation]}; ` : ""
    throw new ToolError(
      "not_configured",
      `Cannot use "${minIsolation}" for box.minIsolation: ${removed}it must be one of ${boxLevels.join(", ")}`,
    )
  }
  return {
    imagesFolder: options.imagesFolder,
    minIsolation,
    defaultImage: options.defaultImage ?? "ubuntu-22.04",
    netGrants: options.netGrants ?? [],
    proxy: options.proxy,
    memoryMiB: options.memoryMiB ?? 512,
    maxTimeoutMs: options.maxTimeoutMs ?? 600_000,
    maxMachines: options.maxMachines ?? Math.max(1, cpus().length),
    programFolders: options.programFolders ?? systemProgramFolders,
    deadlines: { kvmProbeMs: 5_000, tcgProbeMs: 15_000, bootMs: 10_000, restoreMs: 3_000, ...options.deadlines },
  }
}

/** A deadline for a host that is free, stretched for one whose processors are shared by many. */
export function stretched(deadlineMs: number): number {
  const perProcessor = loadavg()[0]! / Math.max(1, cpus().length)
  return Math.round(deadlineMs * Math.min(10, Math.max(1, perProcessor)))
}

/** The folder of images below the folder of Haft's state. */
export function boxImagesFolder(home: string): string {
  return join(home, "box", "images")
}
