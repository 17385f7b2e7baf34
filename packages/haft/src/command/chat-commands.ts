import { nearestNames } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import type { Style } from "../terminal/style.js"

/** What the conversation says of its commands. */
export function helpLines({ say }: Style): readonly string[] {
  return [
    `/help          ${say`this list`}`,
    `/model [NAME]  ${say`the model; with a name, another one from the next message on`}`,
    `/session       ${say`the id of this session, to go on later`}`,
    `/exit          ${say`leave (also Ctrl-D)`}`,
    say`Ctrl-C stops the turn; twice leaves. A message that you send during a turn waits for its end.`,
  ]
}

const commandNames = ["help", "model", "session", "exit", "quit"]
const takeName = ["model", "session"]

/** The words of a command; undefined for a message, which may begin with a path, or with a command that was pasted. */
export function commandWords(text: string): readonly string[] | undefined {
  const line = text.trimEnd()
  if (!line.startsWith("/") || line.includes("\n")) return undefined
  const words = line.slice(1).split(/\s+/)
  // A word alone is a command that was not spelled right; with more words behind it than it takes it begins a message.
  const isAlone = words.length === 1 && /^[\w-]*$/.test(words[0]!)
  return isAlone || (words.length === 2 && takeName.includes(words[0]!)) ? words : undefined
}

/** That there is no such command, with the nearest. */
export function unknownWords(name: string, { say }: Style): string {
  const [near] = nearestNames(name, commandNames, 1)
  if (near === undefined) return say`There is no command /${visibleLine(name)}`
  return say`There is no command /${visibleLine(name)}. Did you mean /${near}?`
}
