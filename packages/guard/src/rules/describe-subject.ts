import type { Located, Subject } from "@haft/contract"
import { joinWords } from "./pattern/words.js"

/** A subject in a sentence: quoted, where there is something to quote. */
export function describeSubject(subject: Subject): string {
  const words = subjectWords(subject)
  return subject.kind === "arguments" ? words : `"${words}"`
}

/** A subject in plain words, for tables. */
export function subjectWords(subject: Subject): string {
  switch (subject.kind) {
    case "path":
      return shortened(pathWords(subject.at))
    case "host":
      return hostWords(subject)
    case "command":
      return shortened(subject.text ?? joinWords(subject.argv))
    case "arguments":
      return "its arguments"
  }
}

// Long enough for every command and path that a person would read to its end.
const longest = 1_000

/** The beginning of a text that would fill the screen; the arguments of the call have it whole. */
function shortened(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length - longest} more characters)`
}

function pathWords({ spelled, meant, absolute, resolved, named = resolved }: Located): string {
  return absolute === named && meant === undefined ? spelled : `${spelled} -> ${named}`
}

function hostWords({ host, port }: { readonly host: string; readonly port?: number }): string {
  // An address of the sixth version has colons of its own.
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host
  return port === undefined ? name : `${name}:${port}`
}
