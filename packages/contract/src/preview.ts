import type { AnyManifest, Execute } from "./manifest.js"
import type { FileReader } from "./port/files.js"
import type { SandboxProfile } from "./port/sandbox.js"

/** What a call would do if it ran now, for the person who is asked. */
export interface AskPreview {
  readonly files?: readonly FilePreview[]
  readonly command?: CommandPreview
  /** Where requests would go: the hosts that the addresses really mean. No name is looked up before the answer. */
  readonly hosts?: readonly HostPreview[]
  /** Why the call would fail if it ran now. */
  readonly problem?: string
  /** Why there is no preview although the tool has one. */
  readonly missing?: string
}

/** What would become of one file or folder. */
export interface FilePreview {
  /** As people are shown it. */
  readonly path: string
  /** `replace`: the whole content is given; `change`: a part of it. */
  readonly action: "create" | "replace" | "change" | "delete" | "move"
  /** Where something is moved to. */
  readonly to?: string
  /** Absent for what is new, and where the size is not known. */
  readonly bytesBefore?: number
  /** Absent for what is gone. */
  readonly bytesAfter?: number
  /** Lines, as far as they were compared. */
  readonly added: number
  readonly removed: number
  readonly hunks: readonly Hunk[]
  /** Lines of hunks that are left out, because there are too many. */
  readonly linesLeftOut?: number
  /** What the hunks cannot say: binary, too large to compare, only the encoding changes, ... */
  readonly note?: string
}

/** A changed place with its surroundings, as in a unified diff; line numbers begin at 1. */
export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** Each begins with a blank, `-`, `+` or `\`; line breaks are left out. */
  readonly lines: readonly string[]
}

/** How a command would run. */
export interface CommandPreview {
  /** The sandbox that an answer gives it; `none` for one that runs outside of any. */
  readonly profile: SandboxProfile | "none"
  /** Hosts that it could reach; empty: no network. */
  readonly hosts: readonly string[]
  /** Protected names that it could write. */
  readonly protectedNames: readonly string[]
  /** The text that it really runs, for instance the script behind `npm test`. */
  readonly script?: string
  /** The text, or its beginning, that an answer was kept for which holds no longer; null where that text was not kept. */
  readonly formerScript?: string | null
}

/** A host that a request would go to. */
export interface HostPreview {
  readonly host: string
  readonly port?: number
}

/** Larger files are described and not shown, and are distinguished by their identity instead of their content. */
export const maxShownBytes = 64 * 1024 * 1024

/** What a preview works with: it reads, and changes nothing. */
export interface PreviewContext {
  /** What a person is shown does not count as read by the model. Content that a rule denies is `denied` here too. */
  readonly files: FileReader
  readonly signal: AbortSignal
  /** The tool's effective output limit in the unit of its manifest. */
  readonly limit: number
}

/** Tells what a call of a tool would do. A throw means that there is no preview. */
export type PreviewCall = (
  execute: Execute<AnyManifest>,
  input: Readonly<Record<string, unknown>>,
  context: PreviewContext,
) => Promise<Pick<AskPreview, "files" | "problem">>
