import { createHash, randomBytes } from "node:crypto"
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { ignoreMissing, ToolError } from "@haft/contract"
import { withLock } from "@haft/host"
import { gitVersion } from "./detect-git.js"
import { gitProgram } from "./installed-git-folder.js"
import { unpackArchive } from "./unpack-archive.js"

/** Where a build of git comes from and goes to; all of it said by the user, never by a model. */
export interface GitInstallOptions {
  /** The folder of a server that holds the archive. */
  readonly baseUrl: string
  /** SHA-256 of the archive, in hex, known from elsewhere than that server. */
  readonly sha256: string
  /** The folder that gets the build, for instance `~/.local/git`. */
  readonly target: string
  /** Take a git that is there and runs; without it the build replaces that. */
  readonly ifMissing?: true
  /** File name of the archive; by default that of this platform. */
  readonly archive?: string
  readonly fetch?: typeof globalThis.fetch
  readonly signal?: AbortSignal
}

export interface GitInstall {
  readonly path: string
  readonly version: string
}

/** The name under which a mirror keeps the build for a platform. */
export function gitArchive(platform: string = process.platform, architecture: string = process.arch): string {
  return `git-${platform}-${architecture}.tar.gz`
}

/**
 * Downloads a build of git, checks it, and puts it in place in one step. Whatever goes wrong, nothing is left behind and
 * a git that was installed before stays. Of several processes one does it, and the others wait and take what it installed.
 */
export async function installGit(options: GitInstallOptions): Promise<GitInstall> {
  const target = resolve(options.target)
  const before = await identityOf(target)
  await mkdir(dirname(target), { recursive: true })
  return withLock(`${target}.lock`, { ...waiting, ...(options.signal && { signal: options.signal }) }, async () => {
    const restored = await sweepWorkshops(target)
    const isWanted = options.ifMissing ?? (!restored && (await identityOf(target)) !== before)
    return (isWanted ? await installedIn(target, options) : undefined) ?? downloadTo(target, options)
  })
}

// A download may take long, and a caller that waits can give up by itself.
const waiting = { action: "install git", patienceMs: Number.POSITIVE_INFINITY, pauseMs: 250 }

/** Tells a folder from another that was put in its place. */
async function identityOf(folder: string): Promise<string | undefined> {
  const facts = await ignoreMissing(stat(folder, { bigint: true }))
  return facts && `${facts.dev}:${facts.ino}:${facts.birthtimeNs}`
}

async function installedIn(target: string, options: GitInstallOptions): Promise<GitInstall | undefined> {
  const path = programIn(target, options)
  const version = await gitVersion(path)
  return version === undefined ? undefined : { path, version }
}

/**
 * Removes what killed installers left beside the target; the holder of the lock is the only one that works there. One that
 * was killed between its last two steps had put the former git aside: that goes back to its place, which the result says.
 */
async function sweepWorkshops(target: string): Promise<boolean> {
  // There the lock does not keep other processes out.
  if (process.platform === "win32") return false
  const before = await identityOf(target)
  const prefix = `${target}.`
  const beside = (await readdir(dirname(target))).map((name) => join(dirname(target), name))
  for (const workshop of beside) {
    if (!workshop.startsWith(prefix) || !/^[0-9a-f]{12}$/.test(workshop.slice(prefix.length))) continue
    if ((await identityOf(target)) === undefined) await ignoreMissing(rename(formerIn(workshop), target))
    await rm(workshop, { recursive: true, force: true })
  }
  return before === undefined && (await identityOf(target)) !== undefined
}

function formerIn(workshop: string): string {
  return join(workshop, "former")
}

async function downloadTo(target: string, options: GitInstallOptions): Promise<GitInstall> {
  // Beside the target, so that the last step is a rename on one file system.
  const workshop = `${target}.${randomBytes(6).toString("hex")}`
  await mkdir(workshop, { mode: 0o700 })
  try {
    const archive = join(workshop, "archive")
    await downloadChecked({ ...options, url: archiveUrl(options), file: archive })
    const folder = join(workshop, "unpacked")
    await unpackArchive(archive, folder)
    const built = await buildIn(folder)
    const version = await gitVersion(programIn(built, options))
    if (version === undefined) throw cannot(options, "its git does not run on this machine; take another build")
    await putInPlace(built, target, formerIn(workshop))
    return { path: programIn(target, options), version }
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }

  /** The folder with git in it: the archive itself, or the one folder in it. */
  async function buildIn(folder: string): Promise<string> {
    const [only, ...others] = await readdir(folder)
    const candidates = [folder, ...(only !== undefined && others.length === 0 ? [join(folder, only)] : [])]
    for (const candidate of candidates) {
      const facts = await ignoreMissing(stat(programIn(candidate, options)))
      if (facts?.isFile()) return candidate
    }
    throw cannot(options, `there is no ${programIn("", options)} in it; take another build`)
  }
}

/** A build for Windows is a .zip. */
function programIn(folder: string, { archive = gitArchive() }: GitInstallOptions): string {
  return gitProgram(folder, archive.endsWith(".zip") || process.platform === "win32")
}

async function putInPlace(built: string, target: string, former: string): Promise<void> {
  const existed = await rename(target, former).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false
      throw error
    },
  )
  try {
    await rename(built, target)
  } catch (error) {
    if (existed) await rename(former, target)
    throw error
  }
}

function archiveUrl(options: GitInstallOptions): URL {
  const { baseUrl, archive = gitArchive() } = options
  const base = URL.canParse(baseUrl) ? new URL(baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol)) {
    throw new ToolError(
      "invalid_args",
      `Cannot install git from "${baseUrl}": it is no http address; name a folder of a server`,
    )
  }
  return new URL(encodeURIComponent(archive), base)
}

function cannot(options: GitInstallOptions, reason: string): ToolError {
  return new ToolError("backend", `Cannot install git from "${archiveUrl(options).href}": ${reason}`)
}

/** A file to fetch, with what it must be. */
interface Download {
  readonly url: URL
  /** In hex. */
  readonly sha256: string
  /** A file that does not exist yet. */
  readonly file: string
  readonly fetch?: typeof globalThis.fetch
  readonly signal?: AbortSignal
}

// Ten times the size of any build of git.
const maxBytes = 1024 * 1024 * 1024

/** Fetches a file and compares its SHA-256; anything but the right file is an error. The caller removes what is there. */
async function downloadChecked({ url, sha256, file, fetch = globalThis.fetch, signal }: Download): Promise<void> {
  const wanted = sha256.trim().toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(wanted)) {
    throw new ToolError("invalid_args", `Cannot check "${url.href}": "${sha256}" is no SHA-256; give 64 hex digits`)
  }
  const response = await fetch(url, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    throw new ToolError("unavailable", `Cannot fetch "${url.href}": ${reasonOf(error)}`, { cause: error })
  })
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    throw new ToolError(
      "unavailable",
      `Cannot fetch "${url.href}": the server answers ${response.status}; check the address`,
    )
  }
  const found = await save(response.body, file, url)
  if (found === wanted) return
  throw new ToolError(
    "denied",
    `Cannot use "${url.href}": its SHA-256 is ${found} and not ${wanted}; nothing was installed`,
    {
      fix: "Get the right hash from the maker of the build, or report that the server holds another file",
    },
  )
}

async function save(body: ReadableStream<Uint8Array>, file: string, url: URL): Promise<string> {
  const hash = createHash("sha256")
  const handle = await open(file, "wx", 0o600)
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxBytes)
        throw new ToolError("too_large", `Cannot fetch "${url.href}": it is larger than ${maxBytes} bytes`)
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
  } catch (error) {
    if (ToolError.is(error)) throw error
    throw new ToolError("unavailable", `Cannot fetch "${url.href}": ${reasonOf(error)}`, { cause: error })
  } finally {
    await handle.close()
  }
  return hash.digest("hex")
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.message : String(cause)
}
