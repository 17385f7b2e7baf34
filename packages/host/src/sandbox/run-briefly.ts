import { execFile } from "node:child_process"

/** Output of a short run of one of our own programs; undefined when it fails or takes longer than two seconds. */
export function runBriefly(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: 2000, env: { PATH: "/usr/bin:/bin", LANG: "C" }, windowsHide: true }
    execFile(file, [...args], options, (error, stdout) => resolve(error ? undefined : stdout))
  })
}
