import { execFile } from "node:child_process"

/** How a server is tried. */
export interface TrialOptions {
  /** Variables of the caller; of these only what tells a program where it is installed is given. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

const placeNames = ["PATH", "HOME", "RUSTUP_HOME", "CARGO_HOME", "GOROOT"]

/** Runs a program with arguments that only say its version: why it does not run, or undefined when it does. */
export function tryServer(
  program: string,
  trial: readonly string[],
  { environment, signal }: TrialOptions,
): Promise<string | undefined> {
  const places = placeNames.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]))
  // A trial installs nothing.
  const env = { ...Object.fromEntries(places), RUSTUP_AUTO_INSTALL: "0", GOTOOLCHAIN: "local", LANG: "C.UTF-8" }
  const options = { cwd: "/", env, timeout: 10_000, windowsHide: true, ...(signal && { signal }) }
  return new Promise((resolve) => {
    execFile(program, [...trial], options, (error, _stdout, stderr) => {
      if (!error) return resolve(undefined)
      const said = stderr.split("\n").find((line) => line.trim() !== "")
      resolve(said?.trim() ?? (error.killed ? "it does not answer" : `it ended with ${error.code}`))
    })
  })
}
