import { statSync } from "node:fs"
import { isAbsolute, join, normalize } from "node:path"
import { isInside, type SandboxProfile } from "@haft/contract"

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

/** The folders of PATH that programs may be taken from: absolute, existing, outside every root, not writable by others. */
export function searchPath(path: string, roots: readonly string[]): readonly string[] {
  const folders = path
    .split(":")
    .filter(isAbsolute)
    .map((folder) => normalize(folder).replace(/(.)\/+$/, "$1"))
  return [...new Set(folders)].filter((folder) => !roots.some((root) => isInside(folder, root)) && isTrusted(folder))
}

/** The folders among these that a command sees; where it sees none of them, those of the system: no folder means the current one. */
export function shownFolders(folders: readonly string[], isVisible: (folder: string) => boolean): readonly string[] {
  const shown = folders.filter(isVisible)
  return shown.length > 0 ? shown : ["/usr/local/bin", ...systemFolders].filter(isVisible)
}

/** Where every system keeps its own programs, also those that are on nobody's PATH. */
export const systemFolders: readonly string[] = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]

function isTrusted(folder: string): boolean {
  try {
    const facts = statSync(folder)
    return facts.isDirectory() && (facts.mode & 0o002) === 0
  } catch {
    return false
  }
}

/** Variables that say where a toolchain or a list of certificates is; taken over when the command can see that place. */
const placeNames: readonly string[] = [
  "RUSTUP_HOME",
  "PYENV_ROOT",
  "NVM_DIR",
  "VOLTA_HOME",
  "ASDF_DIR",
  "ASDF_DATA_DIR",
  "SDKMAN_DIR",
  "JAVA_HOME",
  "GOROOT",
  "DOTNET_ROOT",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "PIP_CERT",
]

/** The named variables of the caller that exist and fit. */
export function taken(
  names: readonly string[],
  from: NodeJS.ProcessEnv,
  fits: (value: string) => boolean,
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = from[name]
    if (value !== undefined && fits(value)) found[name] = value
  }
  return found
}
