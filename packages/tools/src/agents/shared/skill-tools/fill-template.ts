import { ToolError } from "@haft/contract"

/** Arguments by name. */
export type Values = Readonly<Record<string, unknown>>

/** Puts arguments into `${name}`; a name that no argument has stays as it is. */
export function fillTemplate(template: string, values: Values, encode: (value: unknown) => string): string {
  return template.replace(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? encode(values[name]) : whole,
  )
}

/** Words with arguments in them. A value stays part of its word, and no value can turn a word into an option. */
export function fillWords(template: readonly string[], values: Values): readonly string[] {
  return template.map((word) => {
    const filled = fillTemplate(word, values, plainText)
    if (filled.startsWith("-") && !word.startsWith("-")) {
      throw new ToolError(
        "invalid_args",
        `Cannot pass "${filled.slice(0, 100)}": the program would take it for an option`,
        {
          hint: 'Leave out the "-" at its beginning',
        },
      )
    }
    return filled
  })
}

/** A body with arguments in it. In JSON a value becomes a value, or the inside of a text where the template has quotes. */
export function fillBody(template: string, values: Values, contentType: string): string {
  if (/form-urlencoded/i.test(contentType)) return fillTemplate(template, values, encoded)
  if (!/json/i.test(contentType) && !/^\s*[[{]/.test(template)) return fillTemplate(template, values, plainText)
  const pieces = template.split(/("(?:[^"\\]|\\.)*")/s)
  const filled = pieces.map((piece, index) =>
    fillTemplate(piece, values, index % 2 === 1 ? insideText : (value) => JSON.stringify(value ?? null)),
  )
  return filled.join("")
}

/** A value inside a path or a query. */
export function encoded(value: unknown): string {
  const text = plainText(value)
  if (!text.isWellFormed())
    throw new ToolError("invalid_args", "Cannot send the request: a value holds half of a character")
  return encodeURIComponent(text)
}

/** A text as it is, anything else as JSON. */
export function plainText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}

const placeholder = /\$\{([A-Za-z_][A-Za-z0-9_-]*)\}/g

function insideText(value: unknown): string {
  return JSON.stringify(plainText(value)).slice(1, -1)
}
