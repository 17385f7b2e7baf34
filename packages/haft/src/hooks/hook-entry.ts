/** The moments at which hooks are run. */
export const hookEvents = ["PreToolUse", "PostToolUse", "PostToolUseFailure"] as const
export type HookEvent = (typeof hookEvents)[number]

/** A hook as a configuration writes it: a line for the shell, or one or several with the tools that they look at. */
export type HookSetting = string | HookLine | { readonly matcher?: string; readonly hooks: readonly HookLine[] }

interface HookLine {
  readonly type?: "command"
  /** Names of tools with `|` between them, `*` for any part of a name; every tool by default. */
  readonly matcher?: string
  /** A line for `sh`. */
  readonly command: string
  /** Seconds; ten at the most. */
  readonly timeout?: number
}

/** The hooks of a session by the moment at which they are run. */
export type HookSettings = Readonly<Partial<Record<HookEvent, readonly HookSetting[]>>>

/** A hook that can be run. */
export interface Hook {
  readonly command: string
  readonly matcher: string | undefined
  readonly timeoutMs: number
}

/** Time that a hook has at the most: every call waits for it. */
const maxTimeoutMs = 10_000

/** The hooks of a list in their order. */
export function hooksOf(settings: readonly HookSetting[] = []): readonly Hook[] {
  return settings.flatMap((setting) => {
    if (typeof setting === "string") return [hookOf({ command: setting }, undefined)]
    const lines = "hooks" in setting ? setting.hooks : [setting]
    return lines.map((line) => hookOf(line, setting.matcher))
  })
}

function hookOf({ command, timeout }: HookLine, matcher: string | undefined): Hook {
  const timeoutMs = Math.min(maxTimeoutMs, (timeout ?? maxTimeoutMs) * 1000)
  return { command, matcher, timeoutMs }
}

/** Whether a hook looks at calls of a tool, by any of its names. Case, `_` and `-` do not matter: WebFetch is web_fetch. */
export function looksAt({ matcher }: Pick<Hook, "matcher">, names: readonly string[]): boolean {
  return matcher === undefined || matcher === "" || namesIn(matcher).some((pattern) => names.some(matching(pattern)))
}

/** The names of a matcher that mean one tool each. */
export function namedTools({ matcher }: Pick<Hook, "matcher">): readonly string[] {
  return matcher === undefined ? [] : namesIn(matcher).filter((name) => !name.includes("*"))
}

function namesIn(matcher: string): readonly string[] {
  return matcher.split("|").map((name) => name.trim())
}

function matching(pattern: string): (name: string) => boolean {
  const [first = "", ...rest] = plain(pattern).split("*")
  return (name) => {
    const text = plain(name)
    if (rest.length === 0) return text === first
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const part of rest.slice(0, -1)) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    const last = rest.at(-1)!
    return text.length - last.length >= at && text.endsWith(last)
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "")
}

/** What is wrong with a list of hooks; a hook that is misread would guard nothing. */
export function hooksProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "it must be a list of hooks"
  for (const [index, hook] of value.entries()) {
    const problem = typeof hook === "string" ? commandProblem(hook) : hookProblem(hook, ["matcher", "hooks"])
    if (problem !== undefined) return `hook ${index + 1} ${problem}`
  }
  return undefined
}

function hookProblem(hook: unknown, besides: readonly string[]): string | undefined {
  if (typeof hook !== "object" || hook === null || Array.isArray(hook)) return "must be a command or an object"
  const { type = "command", matcher, command, timeout, hooks, ...others } = hook as Record<string, unknown>
  const [unknown] = [...Object.keys(others), ...(besides.length === 0 && hooks !== undefined ? ["hooks"] : [])]
  if (unknown !== undefined) return `has "${unknown}"; a hook has matcher, command and timeout`
  if (type !== "command") return `is of type ${JSON.stringify(type)}; only commands can be run`
  if (matcher !== undefined && !isMatcher(matcher))
    return 'has a matcher that is none: write names of tools with | between them and * for any part, as "bash|web_*"'
  if (timeout !== undefined && !(typeof timeout === "number" && timeout > 0))
    return "has a timeout that is no number above 0"
  if (hooks === undefined) return commandProblem(command)
  if (command !== undefined) return 'has both "command" and "hooks"'
  if (!Array.isArray(hooks) || hooks.length === 0) return 'must have a list of commands in "hooks"'
  return hooks.map((each) => hookProblem(each, [])).find((problem) => problem !== undefined)
}

function commandProblem(command: unknown): string | undefined {
  const isLine = typeof command === "string" && command.trim() !== "" && !command.includes("\0")
  return isLine ? undefined : 'needs a "command" that is a line for the shell'
}

// No regular expressions: ".*" and "^Bash$" of other programs are refused with the words above instead of matching nothing.
function isMatcher(matcher: unknown): boolean {
  return typeof matcher === "string" && (matcher === "" || /^[\w:*-]+(?:\s*\|\s*[\w:*-]+)*$/.test(matcher.trim()))
}
