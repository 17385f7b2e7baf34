import { join } from "node:path"
import type { SandboxProfile } from "@haft/contract"
import { placeNames, taken } from "./taken-variables.js"

/** What the environment of a command is built from; nothing of the caller's gets in unless it is named here. */
export interface EnvironmentRequest {
  /** The variables of the caller. */
  readonly from: NodeJS.ProcessEnv
  readonly searchPath: readonly string[]
  readonly home: string
  readonly user: string
  readonly shell: string
  readonly temporary: string
  readonly cacheFolder?: string
  readonly profile: SandboxProfile | "none"
  /** Names that the user's configuration lets through. */
  readonly names: readonly string[]
  /** Names among them that may carry a secret. */
  readonly secretNames: readonly string[]
  /** Whether a path of the machine can be seen by the command. */
  readonly isVisible: (path: string) => boolean
  /** Variables for the network and of this call. */
  readonly further: Readonly<Record<string, string>>
}

/** Builds the environment of a command. */
export function buildEnvironment(request: EnvironmentRequest): Record<string, string> {
  const { from, home, user, shell, profile, cacheFolder } = request
  return {
    PATH: request.searchPath.join(":"),
    HOME: home,
    USER: user,
    LOGNAME: user,
    SHELL: shell,
    LANG: plain(from.LANG) ?? "C.UTF-8",
    ...optional("LC_ALL", plain(from.LC_ALL)),
    ...optional("TZ", plain(from.TZ)),
    TERM: "dumb",
    TMPDIR: request.temporary,
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    SSH_ASKPASS: "",
    ...(profile === "read-only" && { GIT_OPTIONAL_LOCKS: "0" }),
    ...taken(placeNames, from, (value) => request.isVisible(value)),
    ...(cacheFolder !== undefined && cacheVariables(cacheFolder)),
    ...taken(
      request.names.filter((name) => isHarmless(name, from) || request.secretNames.includes(name)),
      from,
      () => true,
    ),
    ...request.further,
  }
}

/** Where package managers keep what they fetched, one folder each. */
function cacheVariables(folder: string): Record<string, string> {
  return {
    XDG_CACHE_HOME: join(folder, "xdg"),
    npm_config_cache: join(folder, "npm"),
    // Of pnpm alone, for old and for new versions: the name that npm reads as well makes npm warn on every run.
    PNPM_HOME: join(folder, "pnpm"),
    pnpm_config_store_dir: join(folder, "pnpm", "store"),
    YARN_CACHE_FOLDER: join(folder, "yarn"),
    PIP_CACHE_DIR: join(folder, "pip"),
    UV_CACHE_DIR: join(folder, "uv"),
    CARGO_HOME: join(folder, "cargo"),
    GOMODCACHE: join(folder, "go-mod"),
    GOCACHE: join(folder, "go-build"),
    GRADLE_USER_HOME: join(folder, "gradle"),
    COREPACK_HOME: join(folder, "corepack"),
  }
}

/** Locale, time zone and terminal names have no use for anything else. */
function plain(value: string | undefined): string | undefined {
  return value !== undefined && /^[\w.@:+/-]{1,64}$/.test(value) ? value : undefined
}

function optional(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value }
}

/** What to say about variables that the user names and that are kept out all the same. */
export function keptOut({
  from,
  names,
  secretNames,
}: Pick<EnvironmentRequest, "from" | "names" | "secretNames">): string[] {
  return names
    .filter((name) => from[name] !== undefined && !isHarmless(name, from) && !secretNames.includes(name))
    .map((name) => `the variable ${name} is kept out because its value is a secret; to pass it: --env-secret ${name}`)
}

const secretName = /key|token|secret|passw|credential/i

/** A name that sounds like a secret, or a value that is also the value of such a name, needs to be let through as one. */
function isHarmless(name: string, from: NodeJS.ProcessEnv): boolean {
  if (secretName.test(name)) return false
  const value = from[name]
  return !Object.entries(from).some(([other, text]) => value === text && value !== "" && secretName.test(other))
}
