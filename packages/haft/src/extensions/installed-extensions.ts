import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { ToolError } from "@haft/contract"
import type { EnabledExtension } from "@haft/extensions"
import type { Places } from "../config/places.js"
import { readTextFile } from "../config/read-text-file.js"
import { isPlainObject } from "../config/setting-value.js"
import { writePrivateFile } from "../config/write-private-file.js"
import { type ExtensionFolder, readExtension } from "./extension-folder.js"
import { extensionsFile } from "./has-extensions.js"

/** What a person granted an extension. Each grant is an act of its own. */
interface Grants {
  readonly id: string
  /** The files that were enabled; others do not run. */
  readonly enabled?: string
  /** What was shown when it was enabled: a reloaded manifest may ask for no more. */
  readonly shown?: string
  /** Hosts that it may reach. */
  readonly hosts: readonly string[]
  /** In development the files stay where they are and are read again when they change. */
  readonly linked?: string
}

/** An installed extension, and why it brings no tools where it does not. */
export interface InstalledExtension {
  readonly id: string
  readonly folder: string
  readonly state: "enabled" | "disabled" | "changed" | "broken"
  readonly reason?: string
  readonly read?: ExtensionFolder
  readonly hosts: readonly string[]
  readonly linked: boolean
}

/** The extensions of a user: their files in Haft's state, and what was granted beside the configuration. */
export class InstalledExtensions {
  private readonly file: string
  private readonly folder: string

  constructor(places: Pick<Places, "home" | "configHome">) {
    this.file = extensionsFile(places)
    this.folder = join(places.home, "extensions")
  }

  list(): readonly InstalledExtension[] {
    return this.grants().map((grants) => this.installed(grants))
  }

  /** Copies the files; runs nothing, and enables nothing. What was granted to other files of the same id is void. */
  add(source: string, options: { readonly link: boolean }): InstalledExtension {
    const { manifest, files } = readExtension(source)
    const { id } = manifest
    if (!options.link) {
      const fresh = join(this.folder, `.${id}-${process.pid}`)
      rmSync(fresh, { recursive: true, force: true })
      for (const path of files) {
        mkdirSync(dirname(join(fresh, path)), { recursive: true, mode: 0o700 })
        cpSync(join(source, path), join(fresh, path))
      }
      rmSync(join(this.folder, id), { recursive: true, force: true })
      renameSync(fresh, join(this.folder, id))
    }
    const before = this.grants().find((each) => each.id === id)
    this.save({
      ...before,
      id,
      hosts: before?.hosts ?? [],
      ...(options.link ? { linked: source } : { linked: undefined }),
    })
    return this.named(id)
  }

  enable(id: string, hosts: readonly string[]): InstalledExtension {
    const { read, reason, folder } = this.named(id)
    if (read === undefined)
      throw new ToolError("not_configured", `Cannot enable "${id}": ${reason}`, { hint: `Its files are in ${folder}` })
    const declared = read.manifest.requires.net?.hosts ?? []
    const strange = hosts.find((host) => !declared.includes(host))
    if (strange !== undefined) {
      throw new ToolError("invalid_args", `Cannot grant "${strange}": the extension does not ask for this host`, {
        hint: declared.length === 0 ? "It asks for none" : `It asks for ${declared.join(", ")}`,
      })
    }
    this.save({ ...this.grantsOf(id), hosts, enabled: read.digest, shown: shownOf(read) })
    return this.named(id)
  }

  disable(id: string): InstalledExtension {
    const { enabled: _, shown: __, ...grants } = this.grantsOf(id)
    this.save({ ...grants, hosts: [] })
    return this.named(id)
  }

  remove(id: string): void {
    this.named(id)
    this.write(this.grants().filter((each) => each.id !== id))
    rmSync(join(this.folder, id), { recursive: true, force: true })
  }

  named(id: string): InstalledExtension {
    return this.installed(this.grantsOf(id))
  }

  /** Those that may bring tools: enabled, and with the files that were enabled. */
  enabled(): readonly EnabledExtension[] {
    return this.list().flatMap(({ id, state, read, folder, hosts, linked }) => {
      if (state !== "enabled" || read === undefined) return []
      const { shown } = this.grantsOf(id)
      return [
        { manifest: read.manifest, folder, hosts, ...(linked && { reload: reloading(folder, read.digest, shown) }) },
      ]
    })
  }

  private installed({ id, enabled, hosts, linked, shown }: Grants): InstalledExtension {
    const folder = linked ?? join(this.folder, id)
    const found = { id, folder, hosts, linked: linked !== undefined }
    try {
      const read = readExtension(folder)
      if (read.manifest.id !== id)
        return { ...found, state: "broken", reason: `it calls itself "${read.manifest.id}" now` }
      if (enabled === undefined) return { ...found, read, state: "disabled" }
      const isSame = linked === undefined ? enabled === read.digest : shown === shownOf(read)
      if (isSame) return { ...found, read, state: "enabled" }
      return { ...found, read, state: "changed", reason: "it is not what was enabled" }
    } catch (error) {
      if (!ToolError.is(error)) throw error
      return { ...found, state: "broken", reason: error.message }
    }
  }

  private grantsOf(id: string): Grants {
    const found = this.grants().find((each) => each.id === id)
    if (found) return found
    throw new ToolError("invalid_args", `Cannot find the extension "${id}": it is not installed`, {
      hint: "See: haft extension list",
    })
  }

  private grants(): readonly Grants[] {
    const text = readTextFile(this.file)
    if (text === undefined) return []
    const found = parsed(text)
    if (found) return found
    throw new ToolError("not_configured", `Cannot use "${this.file}": it is not a file of extensions`, {
      hint: "Remove it, and add the extensions again",
    })
  }

  private save(grants: Grants): void {
    this.write([...this.grants().filter(({ id }) => id !== grants.id), grants])
  }

  private write(extensions: readonly Grants[]): void {
    writePrivateFile(this.file, `${JSON.stringify({ extensions }, null, 2)}\n`)
  }
}

/** What a person sees before they enable an extension, apart from its code. */
function shownOf({ manifest: { permissions, requires, calls } }: ExtensionFolder): string {
  return JSON.stringify([permissions, requires, calls])
}

function reloading(folder: string, digest: string, shown: string | undefined) {
  let last = digest
  return () => {
    const read = readExtension(folder)
    if (read.digest === last) return undefined
    if (shownOf(read) !== shown) {
      throw new ToolError(
        "denied",
        `Cannot use the extension "${read.manifest.id}": it asks for something else than what was enabled`,
        {
          fix: `Look at it, and enable it again with: haft extension enable ${read.manifest.id}`,
        },
      )
    }
    last = read.digest
    return read.manifest
  }
}

function parsed(text: string): readonly Grants[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const list = isPlainObject(value) ? value.extensions : undefined
    return Array.isArray(list) && list.every(isGrants) ? list : undefined
  } catch {
    return undefined
  }
}

function isGrants(value: unknown): value is Grants {
  if (!isPlainObject(value) || typeof value.id !== "string" || !/^[a-z][a-z0-9-]*$/.test(value.id)) return false
  const isText = (each: unknown) => each === undefined || typeof each === "string"
  const hosts = value.hosts as unknown
  return (
    isText(value.enabled) &&
    isText(value.shown) &&
    isText(value.linked) &&
    Array.isArray(hosts) &&
    hosts.every((host) => typeof host === "string")
  )
}
