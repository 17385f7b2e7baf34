import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import type { Workbench } from "./workbench.js"

/** The command line as a program of its own, made from the sources, for tests with real processes. */
export interface SourceCommand {
  /** A file that node runs. */
  readonly program: string
  remove(): void
}

/** Bundles the sources. The folder is as deep in the package as the built command. */
export async function sourceCommand(): Promise<SourceCommand> {
  const folder = fileURLToPath(new URL(`../dist/test-${process.pid}-${Date.now()}`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: { command: fileURLToPath(new URL("../src/command/main.ts", import.meta.url)) },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    outExtension: { ".js": ".mjs" },
    conditions: ["haft-source"],
    logLevel: "error",
    plugins: [
      {
        name: "keep-foreign-packages-external",
        setup(builder) {
          builder.onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
            kind === "entry-point" || path.startsWith("@haft/") ? undefined : { path, external: true },
          )
        },
      },
    ],
  })
  symlinkSync("../../../compute/dist/compute-worker", join(folder, "compute-worker"), "dir")
  symlinkSync("../../../host/dist/index-worker", join(folder, "index-worker"), "dir")
  const program = join(folder, "run.mjs")
  writeFileSync(program, 'import { main } from "./command.mjs"\nprocess.exitCode = await main(process.argv.slice(2))\n')
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** How a process of the command ended. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the command in a workbench, without a terminal. */
export function startCommand(
  { program }: SourceCommand,
  bench: Workbench,
  words: readonly string[],
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [program, ...words], {
    cwd: bench.work,
    env: { PATH: process.env.PATH, ...bench.env },
  })
}

/** What a process of the command printed, and how it ended. */
export async function endOf(child: ChildProcessWithoutNullStreams, input?: string | Buffer): Promise<Ran> {
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", (piece) => (stdout += String(piece)))
  child.stderr.on("data", (piece) => (stderr += String(piece)))
  child.stdin.end(input)
  const [code] = (await once(child, "close")) as [number | null]
  return { code, stdout, stderr }
}
