import type { AskAnswer } from "@haft/contract"

interface Earlier {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly answer: AskAnswer["answer"]
}

/** Earlier questions of a session, so that a person who is asked again sees what is different this time. */
export class AskedBefore {
  private earlier: readonly Earlier[] = []

  add(earlier: Earlier): void {
    this.earlier = [...this.earlier.slice(-99), earlier]
  }

  /** The latest answer for the same tool, with the first argument that differs. */
  latestAnswer(tool: string, input: Readonly<Record<string, unknown>>): string | undefined {
    const last = this.earlier.findLast((entry) => entry.tool === tool)
    if (!last) return undefined
    const differs = Object.keys({ ...last.arguments, ...input }).find(
      (key) => JSON.stringify(last.arguments[key]) !== JSON.stringify(input[key]),
    )
    if (differs === undefined) return `the same call was answered "${last.answer}"`
    return `a call with ${differs}=${shorten(last.arguments[differs])} was answered "${last.answer}"; this one has ${differs}=${shorten(input[differs])}`
  }
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
