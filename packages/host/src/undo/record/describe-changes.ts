import { relative, sep } from "node:path"
import {
  isInside,
  type ObservedChanges,
  type ObservedEffect,
  type SandboxedCall,
  type SandboxedGrant,
} from "@haft/contract"
import { isProtected } from "../../sandbox/protected/protected-names.js"
import type { Difference } from "./compare-snapshots.js"
import { type RecordedChange, unknownHash } from "./record-changes.js"

/** What is needed to word changes. */
export interface DescribeRequest {
  readonly call: SandboxedCall
  readonly directory: string
  readonly roots: readonly string[]
  /** Changes that were not recorded one by one. */
  readonly leftOut: number
  /** Other commands of the session ran at the same time. */
  readonly shared: boolean
  /** What else is to be said. */
  readonly notes: readonly string[]
}

/** Words what a command changed; paths relative to the working directory where they are inside it. */
export function describeChanges(recorded: readonly RecordedChange[], request: DescribeRequest): ObservedChanges {
  const show = (path: string) => shownFrom(request.directory, path)
  const written = new Set<string>()
  const deleted = new Set<string>()
  const unexpected = new Set<string>()
  const protectedCreated = new Set<string>()
  const unkept = recorded.filter(isUnkept)
  const unread = recorded.filter(({ effect }) => effect.after === unknownHash)
  for (const { difference, effect } of recorded) {
    const shown = show(shownPath(difference.path, (difference.after ?? difference.before)!.within))
    ;(effect.kind === "fs.write" ? written : deleted).add(shown)
    if (!isExpected(request.call.grant, effect.kind, difference.path)) unexpected.add(shown)
    if (!difference.before && isProtectedIn(request.roots, difference.path)) protectedCreated.add(show(difference.path))
  }
  const note = noteOf({ unkept, unread }, request, show)
  return {
    written: [...written],
    deleted: [...deleted].filter((path) => !written.has(path)),
    unexpected: [...unexpected],
    ...(request.call.grant.foreseeable === false && { foreseeable: false }),
    protectedCreated: [...protectedCreated],
    complete: request.leftOut === 0 && unkept.length === 0 && unread.length === 0,
    ...(note !== undefined && { note }),
  }
}

/** The path as people see it from a directory. */
export function shownFrom(directory: string, path: string): string {
  return isInside(path, directory) ? relative(directory, path) || "." : path
}

/** Git's records and installed packages are left to those who make them, and are shown as their folder. */
function isUnkept({ difference: { before, after }, effect }: RecordedChange): boolean {
  return effect.kept !== true && (before ?? after)!.within === undefined
}

function isExpected(grant: SandboxedGrant, kind: "fs.write" | "fs.delete", path: string): boolean {
  return grant.expects ? grant.expects(kind, path) : grant.admits(kind, path)
}

/** Git's records and installed packages are shown as the folder that holds them. */
function shownPath(path: string, within: "git" | "packages" | undefined): string {
  if (within === undefined) return path
  const parts = path.split(sep)
  const end = parts.indexOf(within === "git" ? ".git" : "node_modules") + (within === "git" ? 1 : 2)
  return parts.slice(0, end).join(sep)
}

/** Samples of hooks come with every new repository, and git never runs them. */
function isProtectedIn(roots: readonly string[], path: string): boolean {
  const root = roots.find((each) => isInside(path, each))
  const parts = root === undefined ? [] : relative(root, path).split(sep)
  return isProtected(parts) && !(parts.at(-2) === "hooks" && parts.at(-1)!.endsWith(".sample"))
}

function noteOf(
  { unkept, unread }: { readonly unkept: readonly RecordedChange[]; readonly unread: readonly RecordedChange[] },
  { leftOut, shared, notes: others }: DescribeRequest,
  show: (path: string) => string,
): string | undefined {
  const notes = [...others]
  if (leftOut > 0) notes.push(`${leftOut} more changes are not listed and cannot be undone`)
  const named = (changes: readonly RecordedChange[]) => {
    const others = changes.length > 1 ? ` and ${changes.length - 1} more` : ""
    return `"${show(changes[0]!.difference.path)}"${others}`
  }
  if (unkept[0]) notes.push(`The former content of ${named(unkept)} was not kept: ${unkept[0].effect.kept}`)
  if (unread[0]) notes.push(`What ${named(unread)} holds now could not be read, so that it cannot be undone`)
  if (shared) notes.push("Other commands ran at the same time, and some of these changes may be theirs")
  return notes.length > 0 ? notes.join(". ") : undefined
}

/** The changes that are recorded one by one, and how many others there are. */
export interface ListedChanges {
  readonly listed: readonly Difference[]
  readonly leftOut: number
}

/** As many changes as may be recorded, in their order: first what is gone, then what is different, then what is new. */
export function listChanges(differences: readonly Difference[], most: number): ListedChanges {
  if (differences.length <= most) return { listed: differences, leftOut: 0 }
  const gravest = [...differences].sort((one, other) => rankOf(one) - rankOf(other)).slice(0, most)
  const chosen = new Set(gravest)
  return { listed: differences.filter((one) => chosen.has(one)), leftOut: differences.length - most }
}

/** Stands for all that was left out: content that was not kept, so that no undo removes what may be its last copy. */
export function leftOutEffect(root: string, leftOut: number): ObservedEffect {
  const kept = `${leftOut} more changes were not recorded`
  return { kind: "fs.write", path: root, before: "left out", after: null, kept }
}

function rankOf({ before, after }: Difference): number {
  if (!after) return 0
  return before ? 1 : 2
}
