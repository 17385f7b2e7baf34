import type { Context, OutputOf } from "@haft/contract"
import type { Git } from "../../shared/git/open-git.js"
import type { GitInput, manifest } from "../index.js"

/** A call of one command. */
export interface GitCall {
  readonly input: GitInput
  readonly git: Git
  readonly context: Context<(typeof manifest)["requires"]>
}

/** What a command gives: its text and its own fields. */
export type GitAnswer = Omit<OutputOf<typeof manifest>, "command" | "isolation" | "head">

/** One of the eight commands. */
export type GitCommand = (call: GitCall) => Promise<GitAnswer>

/** A name of the repository as the other tools of the session would write it; a folder keeps its "/" at the end. */
export function pathOf({ git, context }: GitCall, name: string): string {
  const shown = context.files.display(`${git.repository.top}/${name}`)
  return name.endsWith("/") ? `${shown}/` : shown
}

// Data is read by programs and cannot be paged; the text, with its file for the rest, has all.
const maxListed = 1000

/** The first entries of a list for `data`, and a mark when there are more. */
export function listed<Entry>(entries: readonly Entry[]): {
  readonly list: Entry[]
  readonly mark: { complete?: false }
} {
  return entries.length <= maxListed
    ? { list: [...entries], mark: {} }
    : { list: entries.slice(0, maxListed), mark: { complete: false } }
}
