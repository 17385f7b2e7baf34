import { spawn } from "node:child_process"
import { withoutStrangers } from "../../run/process/withheld-descriptors.js"
import type { OwnedLaunch } from "../create-launch.js"

/** Runs a launch to its end, at most five seconds, and not longer than somebody waits for it. */
export function runLaunch(
  launch: OwnedLaunch,
  signal?: AbortSignal,
): Promise<{ readonly stdout: string; readonly reason?: string }> {
  return new Promise((resolve) => {
    let stdout = ""
    let stderr = ""
    const done = (reason: string | undefined) => {
      clearTimeout(clock)
      signal?.removeEventListener("abort", kill)
      launch.dispose()
      resolve({ stdout, ...(reason !== undefined && { reason }) })
    }
    const child = spawn(launch.file, [...launch.args], {
      cwd: launch.cwd,
      env: launch.env,
      detached: true,
      stdio: withoutStrangers(["ignore", "pipe", "pipe", ...launch.extraFds]),
    })
    const kill = () => child.kill("SIGKILL")
    const clock = setTimeout(kill, 5000)
    signal?.addEventListener("abort", kill)
    child.once("error", (error) => done(error.message))
    if (child.pid === undefined) return
    launch.onSpawn?.(child)
    child.stdout!.on("data", (chunk) => (stdout += chunk))
    child.stderr!.on("data", (chunk) => (stderr += chunk))
    child.once("close", async (exitCode) => {
      const failure = (await launch.end?.({ exitCode }, stderr))?.failure
      const complaint = stderr.trim().split("\n").at(-1)
      done(
        failure ? complaint || failure.message : exitCode === 0 ? undefined : complaint || `it ended with ${exitCode}`,
      )
    })
  })
}
