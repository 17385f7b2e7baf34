import type { Subject } from "@haft/contract"
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
      return pathWords(subject.at)
    case "host":
      return hostWords(subject)
    case "command":
      return subject.text ?? joinWords(subject.argv)
    case "arguments":
      return "its arguments"
  }
}

function pathWords(at: { readonly spelled: string; readonly absolute: string; readonly resolved: string }): string {
  return at.absolute === at.resolved ? at.spelled : `${at.spelled} -> ${at.resolved}`
}

function hostWords({ host, port }: { readonly host: string; readonly port?: number }): string {
  return port === undefined ? host : `${host}:${port}`
}
