/** What can happen to a file. */
export type FileEffectKind = "fs.read" | "fs.write" | "fs.delete"

/** Where a path leads, found without opening its target. */
export interface Located {
  /** The path as the caller wrote it. */
  readonly spelled: string
  /** What it was taken for, where that is another path than the one that is written, such as the home for `~`. */
  readonly meant?: string
  /** Absolute and normalised, links not followed. */
  readonly absolute: string
  /** Absolute, every link followed; for a missing path the nearest existing ancestor resolved, plus the rest. */
  readonly resolved: string
  /** The resolved path as commands name it, where that is another one: in /tmp of the session. */
  readonly named?: string
  readonly kind: "file" | "directory" | "other" | "missing"
}

/** Where a request goes, and with which method of HTTP where that is known. */
export interface Destination {
  readonly host: string
  readonly port?: number
  /** In capitals: `GET`. */
  readonly method?: string
  /** Requests go through it, to hosts of the tool's own. */
  readonly isProxy?: true
}

/** An effect that a call names in its arguments, before paths are resolved. */
export type NamedEffect =
  | { readonly kind: FileEffectKind; readonly path: string; readonly outside?: "asks" }
  | ({ readonly kind: "net.fetch" } & Destination)

/** The same with its path resolved: what capability and rules judge. */
export type Effect =
  | {
      readonly kind: FileEffectKind
      readonly at: Located
      /**
       * A command makes this change, so that outside the workspace it goes through a copy and a person is asked; without
       * this, what is outside is refused.
       */
      readonly outside?: "asks"
    }
  | ({ readonly kind: "net.fetch" } & Destination)

/** What a rule's pattern is compared with. */
export type Subject =
  | { readonly kind: "path"; readonly at: Located }
  | ({ readonly kind: "host" } & Destination)
  | {
      readonly kind: "command"
      /** Empty when the words are not all known; only rules without a pattern match then. */
      readonly argv: readonly string[]
      /** The words in front of the first that is not known, where there are any. */
      readonly begins?: readonly string[]
      /** How the command is shown, where its words alone would not say it. */
      readonly text?: string
      /** Where it runs, for a command that runs text kept in a file; absent where that cannot be known. */
      readonly directory?: string
      /** The place of the program among the words, where wrappers or assignments are in front: an allow must name it. */
      readonly program?: number
    }
  | { readonly kind: "arguments"; readonly values: Readonly<Record<string, unknown>> }

/** A permission name with the subject that it is asked for: a tool id, or `shell.run`. */
export interface Head {
  readonly permission: string
  readonly subject: Subject
  /** Another reading of the same command: deny and ask rules with a pattern hold for it, but an allow settles nothing. */
  readonly strictOnly?: true
}

/** One separately judged piece of a call: the call itself for most tools, one simple command of a shell line. */
export interface CallPart {
  /** How the part is called in explanations. */
  readonly label: string
  readonly heads: readonly Head[]
  readonly effects: readonly Effect[]
  /** True when the effects cannot be listed. */
  readonly opaque: boolean
  /** For a command that runs more than its parts say. */
  readonly runs?: RunsMore
  /** True for a command that is known to do nothing beyond its effects: without any, no rule is needed to settle it. */
  readonly harmless?: true
}

/**
 * What a command runs that has no part of its own: code that is not followed, in which `text` may name a program, or
 * anything at all, as words and texts say that are not known.
 */
export type RunsMore = { readonly what: "code"; readonly text: string } | { readonly what: "anything" }

/** What a call really did, recorded by the port that did it. */
export type ObservedEffect =
  | { readonly kind: "fs.read"; readonly path: string }
  | {
      readonly kind: "fs.write" | "fs.delete"
      readonly path: string
      /**
       * Content hash before, `link:` with the text of a link, `folder` for an empty one or one whose mode alone changed,
       * `tree:` with a hash for a folder with all that is in it, the identity of a file of more than 1 GB, which is not read;
       * null when there was nothing.
       */
      readonly before: string | null
      /** The same afterwards; null when it was removed. */
      readonly after: string | null
      /** Whether the former content can be brought back; if not, why. */
      readonly kept: true | string
      readonly mode?: number
      /** The mode afterwards, where it was changed. */
      readonly newMode?: number
      /** Directories that the write had to make, outermost first; undo removes those that are empty again. */
      readonly createdDirectories?: readonly string[]
      /** For a file outside the workspace: the root that the command worked in, from which it is undone. */
      readonly outside?: string
    }
  | {
      readonly kind: "net.fetch"
      readonly host: string
      readonly port: number
      /** Why nothing was sent there; absent for a destination that was reached. */
      readonly refused?: string
    }
