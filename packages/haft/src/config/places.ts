import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { isInside } from "@haft/contract"
import type { RootPlaces } from "@haft/guard"

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where Haft keeps things, none of it inside a workspace. */
export interface Places {
  readonly userHome: string
  /** State: journal, sessions, file history. */
  readonly home: string
  /** The user's configuration, saved answers and trust. */
  readonly configHome: string
  readonly userFile: string
  readonly managedFile: string
  /** Places that an environment variable chose, with the variable's name. */
  readonly chosen: readonly { readonly variable: string; readonly path: string }[]
}

/** The places for this environment. A relative value is a mistake; it is resolved from the directory. */
export function findPlaces(env: Environment, directory: string, managedFile: string): Places {
  const userHome = env.HOME || homedir()
  const dataHome = env.XDG_DATA_HOME || join(userHome, ".local", "share")
  const settingsHome = env.XDG_CONFIG_HOME || join(userHome, ".config")
  const home = resolve(directory, env.HAFT_HOME || join(dataHome, "haft"))
  const configHome = resolve(directory, join(settingsHome, "haft"))
  const userFile = env.HAFT_CONFIG ? resolve(directory, env.HAFT_CONFIG) : join(configHome, "config.jsonc")
  const usual = { home: join(userHome, ".local", "share", "haft"), configHome: join(userHome, ".config", "haft") }
  const chosen = [
    { variable: env.HAFT_HOME ? "HAFT_HOME" : "XDG_DATA_HOME", path: home, usual: usual.home },
    { variable: "XDG_CONFIG_HOME", path: configHome, usual: usual.configHome },
    { variable: "HAFT_CONFIG", path: userFile, usual: join(configHome, "config.jsonc") },
  ]
  return {
    userHome,
    home,
    configHome,
    userFile,
    managedFile,
    chosen: chosen.filter(({ path, usual }) => path !== usual).map(({ variable, path }) => ({ variable, path })),
  }
}

/** The places that make a root above them a wide one. */
export function rootPlaces(places: Places): RootPlaces {
  return { home: places.userHome, haftHome: places.home, haftConfig: places.configHome }
}

/** The path with the user's home shortened to `~`. */
export function shortPath(path: string, userHome: string): string {
  return isInside(path, userHome) ? `~${path.slice(userHome.length)}` : path
}
