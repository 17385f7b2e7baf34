import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, chown, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { setTimeout } from "node:timers/promises"

/** A display that nobody sees, for tests. */
export interface TestDisplay {
  /** What programs need to find it. */
  readonly environment: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Whether all these programs are installed. */
export function hasPrograms(...programs: readonly string[]): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter)
  return programs.every((program) => folders.some((folder) => existsSync(join(folder, program))))
}

/** Starts an X server on a number that is free. */
export async function startXvfb(): Promise<TestDisplay> {
  const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "64x64x8", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  })
  const number = await firstLine(server)
  return {
    environment: { PATH: process.env.PATH!, DISPLAY: `:${number}` },
    close: () => ended(server),
  }
}

/** Starts a Wayland compositor without a screen. */
export async function startSway(): Promise<TestDisplay> {
  const folder = await mkdtemp(join(tmpdir(), "haft-wayland-"))
  await chmod(folder, 0o700)
  const isRoot = process.getuid?.() === 0
  // It refuses to run as root.
  if (isRoot) await chown(folder, nobody, nobody)
  const server = spawn("sway", ["-c", "/dev/null"], {
    cwd: folder,
    stdio: "ignore",
    ...(isRoot && { uid: nobody, gid: nobody }),
    env: {
      PATH: process.env.PATH!,
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      WLR_BACKENDS: "headless",
      WLR_LIBINPUT_NO_DEVICES: "1",
      WLR_RENDERER: "pixman",
    },
  })
  const display = await socketIn(folder, server)
  return {
    environment: { PATH: process.env.PATH!, XDG_RUNTIME_DIR: folder, WAYLAND_DISPLAY: display },
    async close() {
      await ended(server)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a program on a display to its end, with this on its standard input. */
export function runOn({ environment }: TestDisplay, program: string, args: readonly string[], input = ""): void {
  const { status } = spawnSync(program, args, { env: environment, input, stdio: ["pipe", "ignore", "ignore"] })
  if (status !== 0) throw new Error(`${program} ended with ${status}`)
}

const nobody = 65_534

async function firstLine(server: ChildProcess): Promise<string> {
  let text = ""
  for await (const chunk of server.stdout!) {
    text += String(chunk)
    if (text.includes("\n")) return text.trim()
  }
  throw new Error("Xvfb did not start")
}

async function socketIn(folder: string, server: ChildProcess): Promise<string> {
  while (server.exitCode === null && server.signalCode === null) {
    const socket = (await readdir(folder)).find((name) => /^wayland-\d+$/.test(name))
    if (socket !== undefined) return socket
    await setTimeout(20)
  }
  throw new Error("sway did not start")
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = new Promise((resolve) => server.once("exit", resolve))
  server.kill("SIGKILL")
  await gone
}
