import { ToolError } from "@haft/contract"

/** The JSON object that a request brings. Says what is wrong with it otherwise. */
export async function readBody(request: Request, maxBytes: number): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers.get("content-type") ?? ""
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new WrongMediaType(type)
  const text = await readText(request, maxBytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ToolError("invalid_args", `Cannot read the body: it is no JSON (${(error as Error).message})`)
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new ToolError("invalid_args", `Cannot read the body: it must be a JSON object`)
}

/** The body is of another kind than JSON: 415. A form of another site cannot send JSON without asking first. */
export class WrongMediaType extends Error {
  constructor(type: string) {
    super(`Cannot read the body: it must be application/json and is "${type.slice(0, 100)}"`)
  }
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const pieces: Uint8Array[] = []
  let bytes = 0
  if (request.body) {
    for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += piece.byteLength
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      pieces.push(piece)
    }
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces))
  } catch {
    throw new ToolError("invalid_args", "Cannot read the body: it is no UTF-8")
  }
}

function tooLarge(maxBytes: number): ToolError {
  return new ToolError("too_large", `Cannot read the body: it has more than ${maxBytes} bytes`, {
    hint: "Send less at once",
  })
}

type Reader<Value> = (value: unknown) => Value | undefined

/** Readers of single fields: the value, or undefined when it is of another kind. */
export const kinds = {
  text: (value: unknown) => (typeof value === "string" ? value : undefined),
  flag: (value: unknown) => (typeof value === "boolean" ? value : undefined),
  count: (value: unknown) => (Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : undefined),
  texts: (value: unknown) => (isTexts(value) ? value : undefined),
  answers: (value: unknown) => (Array.isArray(value) && value.every(isTexts) ? (value as string[][]) : undefined),
  any: (value: unknown) => value,
  oneOf:
    <const Choice extends string>(choices: readonly Choice[]) =>
    (value: unknown) =>
      choices.find((choice) => choice === value),
  list:
    <Item>(read: Reader<Item>) =>
    (value: unknown) => {
      if (!Array.isArray(value)) return undefined
      const items = value.map(read)
      return items.every((item) => item !== undefined) ? (items as Item[]) : undefined
    },
} as const

/** The fields of a body, each of its kind; one that is unknown or of another kind is an error that names it. */
export function fields<const Shape extends Readonly<Record<string, Reader<unknown>>>>(
  body: Readonly<Record<string, unknown>>,
  shape: Shape,
): { readonly [Key in keyof Shape]?: NonNullable<ReturnType<Shape[Key]>> } {
  const unknown = Object.keys(body).find((key) => !Object.hasOwn(shape, key))
  if (unknown !== undefined) {
    throw new ToolError(
      "invalid_args",
      `Cannot use "${unknown.slice(0, 100)}": the body takes ${Object.keys(shape).join(", ")}`,
    )
  }
  const read: Record<string, unknown> = {}
  for (const [key, reader] of Object.entries(shape)) {
    if (!Object.hasOwn(body, key)) continue
    const value = reader(body[key])
    if (value === undefined) throw new ToolError("invalid_args", `Cannot use "${key}": it is of the wrong kind`)
    read[key] = value
  }
  return read as never
}

/** A field that must be there. */
export function need<Value>(value: Value | undefined, name: string): Value {
  if (value !== undefined) return value
  throw new ToolError("invalid_args", `Cannot go on without "${name}"`)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string")
}
