/** One entry of a confined view. Later entries cover earlier ones. */
export type Mount =
  /** A file or directory of the host, read-only, with everything mounted below it. */
  | { readonly kind: "read"; readonly source: string; readonly target: string }
  /** The same, writable. */
  | { readonly kind: "write"; readonly source: string; readonly target: string; readonly makes?: string }
  /**
   * An empty file system in memory; a sealed one is made read-only when all is mounted that belongs into it. `makes` names the
   * folder of the session below it, which has to be there.
   */
  | {
      readonly kind: "memory"
      readonly target: string
      readonly maxBytes: number
      readonly mode: number
      readonly sealed?: true
      readonly makes?: string
    }
  | { readonly kind: "link"; readonly target: string; readonly text: string }
  /** The process tree of the sandbox itself. */
  | { readonly kind: "processes"; readonly target: string }
  /** null, zero, full, random, urandom, tty and terminals of the sandbox itself. */
  | { readonly kind: "devices"; readonly target: string }
  /** Something that must not be read: covered, opening it fails with EACCES. */
  | { readonly kind: "hide"; readonly target: string; readonly what: "file" | "directory" }
  /** A name that must stay absent: an empty read-only directory. Its place exists on the host while it is held. */
  | { readonly kind: "placeholder"; readonly target: string }
  /** Makes an earlier entry read-only, itself and not what is mounted on top of it. */
  | { readonly kind: "freeze"; readonly target: string }
