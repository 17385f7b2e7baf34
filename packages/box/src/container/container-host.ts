import { join } from "node:path"
import { findOwnProgram, withDefaults } from "@haft/host"
import type { BoxJob } from "../backend/backend.js"
import { hostFingerprint, readKnown, writeKnown } from "../backend/probe-cache.js"
import { type BoxSettings, stretched } from "../box-options.js"
import { guestUser } from "../guest/agent-script.js"
import type { Image } from "../image/image.js"
import { runProgram } from "../image/run-program.js"
import { takeScratchPath } from "../scratch.js"
import { isPlainPath, podmanEnvironment } from "./container-arguments.js"
import { type ImageTree, openImageTree } from "./image-tree.js"
import { type ContainerPrograms, runInContainer } from "./run-in-container.js"

/** Podman on this host, proved to work. */
export interface ContainerHost {
  readonly programs: ContainerPrograms
  /** Name and version, with the program that makes the containers. */
  readonly label: string
  /** Takes the root file system of an image apart without mounting it. */
  readonly debugfs: string
}

/** What podman is tried with. */
export interface BoxTrial {
  readonly image: Image
  readonly signal: AbortSignal
}

// The first is what podman prefers; it refuses hosts whose control groups are of two kinds, and the second does not.
const runtimeNames = ["crun", "runc"]

/** Finds podman and proves with a container that it confines; the result is the reason where it does not. */
export async function findContainerHost(
  settings: BoxSettings,
  { image, signal }: BoxTrial,
): Promise<ContainerHost | string> {
  if (process.platform !== "linux" || process.arch !== "x64") return "images need Linux on x86-64"
  const { programFolders: folders, imagesFolder } = settings
  const [podman, debugfs] = ["podman", "debugfs"].map((name) => findOwnProgram(name, folders))
  if (podman === undefined) return "podman not found"
  if (debugfs === undefined) return "debugfs not found"
  if (!isPlainPath(image.folder)) return `podman cannot use "${image.folder}": it holds a blank, "," or ":"`
  const runtimes = runtimeNames.flatMap((name) => findOwnProgram(name, folders) ?? [])
  if (runtimes.length === 0) return `${runtimeNames.join(" or ")} not found`

  const fingerprint = await hostFingerprint([podman, ...runtimes])
  const knownFile = join(imagesFolder, "probes-podman.json")
  const hostWith = (runtime: string, version: string): ContainerHost => ({
    ...{ programs: { podman, runtime, folders }, debugfs },
    label: `podman ${version} (${runtime.split("/").at(-1)})`,
  })
  const known = await readKnown(knownFile, fingerprint)
  if (known?.runtime !== undefined) return hostWith(known.runtime, known.version)
  try {
    const words = await runProgram([podman, "--version"], { environment: podmanEnvironment(folders) })
    const version = /version (\S+)/.exec(words)?.[1] ?? "unknown"
    const tree = await openImageTree(image, { imagesFolder, debugfs, signal })
    const reasons: string[] = []
    for (const runtime of runtimes) {
      const reason = await whyNot({ podman, runtime, folders }, { settings, image, tree, signal })
      if (reason === undefined) {
        await writeKnown(knownFile, { fingerprint, version, runtime, probes: [] })
        return hostWith(runtime, version)
      }
      reasons.push(`with ${runtime}: ${reason}`)
    }
    return reasons.join("; ")
  } catch (error) {
    return (error as Error).message
  }
}

interface Trial extends BoxTrial {
  readonly settings: BoxSettings
  readonly tree: ImageTree
}

/** Runs a command with every option of real ones, which reports how it is confined. */
async function whyNot(
  programs: ContainerPrograms,
  { settings, image, tree, signal }: Trial,
): Promise<string | undefined> {
  const { imagesFolder, memoryMiB, deadlines } = settings
  const outcome = await runInContainer(await trialJob(image, proofCommand, signal), {
    ...{ programs, imagesFolder, tree, memoryMiB, bootMs: stretched(deadlines.bootMs), began: performance.now() },
  })
  if (outcome.type === "crashed") return outcome.words.split("\n").at(-1) || outcome.reason
  if (outcome.type === "aborted" || outcome.exitCode !== 0) return "a command in a container did not end as it should"
  const memoryBytes = memoryMiB * 1024 * 1024
  return missingProtection(outcome.stdout.text, { user: guestUser, memoryBytes, processes: withDefaults().processes })
}

const timeoutMs = 30_000
const keepBytes = 10_000

/** A short command of Haft's own, to see whether a backend works; its output always fits. */
async function trialJob(image: Image, command: string, signal: AbortSignal): Promise<BoxJob> {
  const sidecar = { folder: await takeScratchPath(), name: "trial" }
  return { image, command, files: [], timeoutMs, keepBytes, sidecar, signal }
}

/** Reports how a command in a container is confined, one fact a line. */
const proofCommand = [
  "grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr '\\t' ' '",
  "tail -n +3 /proc/net/dev | cut -d: -f1 | sed 's/^ */Interface: /'",
  "touch /usr/proof 2> /dev/null && echo Root: written",
  `for file in memory.max memory/memory.limit_in_bytes; do [ -r /sys/fs/cgroup/$file ] && echo "Memory: $(cat /sys/fs/cgroup/$file)"; done`,
  `for file in pids.max pids/pids.max; do [ -r /sys/fs/cgroup/$file ] && echo "Processes: $(cat /sys/fs/cgroup/$file)"; done`,
  "true",
].join("\n")

/** How a command in a container must be confined. */
export interface ExpectedProtection {
  readonly user: number
  readonly memoryBytes: number
  readonly processes: number
}

/** The first protection that is missing, or undefined: some hosts take every option and leave out a limit in silence. */
export function missingProtection(report: string, expected: ExpectedProtection): string | undefined {
  const facts = report.trim().split("\n")
  const wanted = [
    { line: `Uid: ${Array(4).fill(expected.user).join(" ")}`, why: "the command runs as another user" },
    { line: "CapEff: 0000000000000000", why: "the command keeps capabilities" },
    { line: "CapBnd: 0000000000000000", why: "the command could get capabilities" },
    { line: "NoNewPrivs: 1", why: "programs of the command could gain privileges" },
    { line: "Seccomp: 2", why: "no system calls are filtered" },
    { line: `Memory: ${expected.memoryBytes}`, why: "memory is not limited" },
    { line: `Processes: ${expected.processes}`, why: "the number of processes is not limited" },
  ]
  if (facts.includes("Root: written")) return "the image can be written"
  if (facts.some((fact) => fact.startsWith("Interface: ") && fact !== "Interface: lo")) return "there is a network"
  return wanted.find(({ line }) => !facts.includes(line))?.why
}
