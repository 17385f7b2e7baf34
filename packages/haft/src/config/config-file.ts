import type { PlacedRule } from "@haft/contract"

/** Whose file it is; `answers` holds what the user answered for one project, kept outside of it. */
export type ConfigScope = "managed" | "user" | "answers" | "project" | "local"

/** One value of a configuration file with its place. */
export interface ConfigEntry {
  readonly key: string
  readonly value: unknown
  readonly line: number
}

/** A configuration file, read and checked. */
export interface ConfigFile {
  readonly path: string
  /** How messages call it. */
  readonly name: string
  readonly scope: ConfigScope
  readonly entries: readonly ConfigEntry[]
  readonly rules: readonly PlacedRule[]
}
