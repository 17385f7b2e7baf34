/**
 * A word of a command as far as it can be known before it runs: its text; names that a wildcard will find below
 * `base`; a pipe to a process substitution; or something only the shell will know.
 */
export type Argument =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "names"; readonly text: string; readonly base: string; readonly loose: boolean }
  | { readonly kind: "pipe"; readonly text: string }
  | { readonly kind: "unknown"; readonly text: string; readonly shape: UnknownShape }

/** What is known of an unknown word: nothing, that it is one word, or that it is one word and no option. */
export type UnknownShape = "any" | "one word" | "no option"

/** A word that is known. */
export function literal(text: string): Argument {
  return { kind: "literal", text }
}

/** A word that is not known. */
export function unknown(text: string, shape: UnknownShape = "any"): Argument {
  return { kind: "unknown", text, shape }
}

/** Names that a wildcard finds. `loose` when such a name could begin with a dash and pass for an option. */
export function names(text: string, fixed: string): Argument {
  const slash = fixed.lastIndexOf("/")
  const base = slash < 0 ? "." : slash === 0 ? "/" : fixed.slice(0, slash)
  return { kind: "names", text, base, loose: fixed === "" || fixed.startsWith("-") }
}

/** Whether all that is known of a word leaves open that it is an option. */
export function mayBeOption(argument: Argument): boolean {
  switch (argument.kind) {
    case "literal":
      return argument.text.length > 1 && argument.text.startsWith("-")
    case "names":
      return argument.loose
    case "pipe":
      return false
    case "unknown":
      return argument.shape !== "no option"
  }
}

/** A word for a message: in quotes, unless it brings its own. */
export function quoted(text: string): string {
  return /^["'$`]/.test(text) ? text : `"${text}"`
}
