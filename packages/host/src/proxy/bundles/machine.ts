import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { bestEffort } from "@haft/contract"

/** Where package managers and their settings are found. */
export interface Machine {
  readonly home: string
  /** Folders that programs are taken from. */
  readonly searchPath: readonly string[]
  readonly roots: readonly string[]
  readonly variables: NodeJS.ProcessEnv
  /** The folder of system-wide settings; another one in tests. */
  readonly settings?: string
}

/**
 * Something in the user's settings: an address, with the variables that set the same and what else a package manager must
 * know if somebody outside proves to the registry who asks; or a list of certificates.
 */
export type FoundSetting =
  | string
  | {
      readonly address: string
      readonly variables: readonly string[]
      readonly besides?: Readonly<Record<string, string>>
    }
  | { readonly certificates: string }

/** Output of a package manager that is asked about its own settings, outside every project; empty when it fails. */
export function ask(file: string, args: readonly string[], { home, searchPath, variables }: Machine): Promise<string> {
  const names = Object.keys(variables).filter((name) => /^(npm_config_|PIP_|CARGO_|RUSTUP_|PYENV_|NVM_)/i.test(name))
  const env = { HOME: home, PATH: searchPath.join(":"), LANG: "C.UTF-8" }
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      {
        // No project is above this folder, so none can name a host here.
        cwd: "/",
        timeout: 10_000,
        maxBuffer: 4 * 1024 * 1024,
        env: { ...env, ...Object.fromEntries(names.map((name) => [name, variables[name]])) },
      },
      (error, stdout) => resolve(error ? "" : stdout),
    )
  })
}

/** The text of a file; empty when it cannot be read. */
export function textOf(path: string): string {
  return bestEffort("what is not installed or not readable has nothing to say", () => readFileSync(path, "utf8")) ?? ""
}

/** The paths in a folder, sorted; none when it cannot be listed. */
export function entriesOf(folder: string): readonly string[] {
  return (
    bestEffort("what is not installed or not readable has nothing to say", () =>
      readdirSync(folder)
        .sort()
        .map((name) => join(folder, name)),
    ) ?? []
  )
}
