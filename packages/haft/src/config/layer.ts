import type { PlacedRule } from "@haft/contract"
import type { ConfigEntry, ConfigScope } from "./config-file.js"

/** One source of settings and rules. */
export interface Layer {
  readonly scope: ConfigScope | "environment" | "flag"
  /** How messages call it: a file, or the words "environment" and "flag". */
  readonly name: string
  readonly entries: readonly ConfigEntry[]
  readonly rules: readonly PlacedRule[]
  /** For files of a project: hashes of the widening entries that a person has seen and trusted. */
  readonly trusted?: ReadonlySet<string>
  /** For files of a project: why its other widening entries are inactive. */
  readonly inactive?: string
}

/** What one source said about one key, and what became of it. */
export interface Saying {
  readonly key: string
  readonly value: unknown
  /** File and line, an environment variable, or a flag. */
  readonly source: string
  /** The name of the layer. */
  readonly layer: string
  readonly taken: boolean
  /** Why it was ignored. */
  readonly reason?: string
}
