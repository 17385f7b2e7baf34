import { Validator } from "@cfworker/json-schema"
import type { ApiTool } from "@haft/contract"
import { useEffect, useMemo, useState } from "react"
import { setQuery, usePlace } from "../../app/router.js"

/** The arguments that the person writes: as JSON and, where that is an object, as values for the form. */
export interface Arguments {
  readonly text: string
  readonly value: Readonly<Record<string, unknown>>
  /** Why the text is no object; the form keeps the last one that was. */
  readonly broken?: { readonly reason: string }
  /** What the schema says against them. */
  readonly problems: readonly Problem[]
  readonly setText: (text: string) => void
  readonly setValue: (value: Readonly<Record<string, unknown>>) => void
}

/** One thing that the schema says against the arguments. */
export interface Problem {
  /** `/todos/0/status`; empty for the whole. */
  readonly place: string
  readonly reason: string
  /** The keyword of the schema that says it. */
  readonly keyword: string
  /** The name of what is not there, where that is all that is wrong. */
  readonly missing?: string
}

// Longer addresses are cut by browsers and tools; the arguments stay, the link does not carry them.
const maxLinkLength = 2000

/** Form and JSON over one text, which the address carries as long as it is short. */
export function useArguments(tool: ApiTool): Arguments {
  const { query } = usePlace()
  const [text, setText] = useState(() => query.args ?? "{}")
  const [last, setLast] = useState<Readonly<Record<string, unknown>>>(() => parse(query.args ?? "{}").value ?? {})
  const { value, reason } = useMemo(() => parse(text), [text])
  const problems = useMemo(() => (value ? checkAgainst(tool.input_schema, value) : []), [tool, value])
  const write = (next: string) => {
    setText(next)
    const { value } = parse(next)
    if (value) setLast(value)
  }
  useEffect(() => {
    const timer = setTimeout(() => {
      setQuery({ args: text === "{}" || text.length > maxLinkLength ? undefined : text })
    }, 300)
    return () => clearTimeout(timer)
  }, [text])
  return {
    text,
    value: value ?? last,
    ...(reason !== undefined && { broken: { reason } }),
    problems,
    setText: write,
    setValue: (next) => write(JSON.stringify(next, undefined, 2)),
  }
}

function parse(text: string): { value?: Readonly<Record<string, unknown>>; reason?: string } {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
    return isObject ? { value: value as Record<string, unknown> } : { reason: "" }
  } catch (error) {
    return { reason: (error as Error).message }
  }
}

/** What a JSON Schema says against a value. Nothing is compiled: the page allows no code from strings. */
export function checkAgainst(schema: Readonly<Record<string, unknown>>, value: unknown): readonly Problem[] {
  const { errors } = new Validator(schema, "2020-12", false).validate(value)
  return errors
    .filter(
      ({ keyword }) => !["properties", "items", "additionalProperties", "$ref", "anyOf", "oneOf"].includes(keyword),
    )
    .map(({ keyword, instanceLocation, error }) => {
      const missing = keyword === "required" ? /"([^"]+)"/.exec(error)?.[1] : undefined
      return {
        ...{ place: instanceLocation.replace(/^#/, ""), reason: error, keyword },
        ...(missing !== undefined && { missing }),
      }
    })
}
