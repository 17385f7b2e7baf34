import type { Json } from "@haft/contract"

/** Where a server program may be. */
export type Candidate =
  /** A package that the project installed with npm, with a native program where the package has one. */
  | {
      readonly where: "package"
      readonly name: string
      readonly leastMajor?: number
      readonly program: string
      /** Names of the native program's package and its path inside, with {platform} and {arch}. */
      readonly native?: { readonly name: string; readonly program: string }
      readonly arguments: readonly string[]
    }
  /** A program file of the project, by its path below a folder of it. */
  | { readonly where: "project"; readonly program: string; readonly arguments: readonly string[] }
  /** A program on the search path; `ofPackage` says which package it must belong to, and in which version. */
  | {
      readonly where: "path"
      readonly program: string
      readonly ofPackage?: { readonly name: string; readonly leastMajor: number }
      readonly arguments: readonly string[]
    }

/** A language server: which files are its own, where it may be found and how it is started. */
export interface ServerSpec {
  readonly id: string
  /** The language in words. */
  readonly title: string
  /** The name that the protocol has for each file ending. */
  readonly languageIds: Readonly<Record<string, string>>
  /** Tried in this order. */
  readonly candidates: readonly Candidate[]
  /** Files that make a folder a project of this language. */
  readonly projectFiles: readonly string[]
  /** True when the server works on the nearest such folder, and not on the whole root. */
  readonly perProject?: boolean
  /** Further files whose changes matter: endings with a dot in front, or whole names. */
  readonly watched: readonly string[]
  /** Folders that are not looked through for changes. */
  readonly unwatched: readonly string[]
  /** Paths that change when dependencies do: the server then starts anew. `*` stands for any one name. */
  readonly dependencies: readonly string[]
  readonly initializationOptions?: Json
  /** Answers to the server's questions for settings, by section. */
  readonly settings?: Readonly<Record<string, Json>>
  readonly environment?: Readonly<Record<string, string>>
  /** Arguments with which the program on the search path only says its version, to see whether it runs at all. */
  readonly trial?: readonly string[]
  /** How to get it. */
  readonly install: string
}

/** The spec that a file belongs to by the ending of its name. */
export function specOf(path: string, table: readonly ServerSpec[]): ServerSpec | undefined {
  const ending = endingOf(path)
  return table.find(({ languageIds }) => Object.hasOwn(languageIds, ending))
}

/** The ending of a file name, in small letters and with its dot. */
export function endingOf(path: string): string {
  return /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? ""
}
