/**
 * Readers for data whose shape nobody promised: a result of a foreign tool, of a recording, or half of the arguments. Each
 * answers undefined, or nothing, for what is not of its kind.
 */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" ? (value as Readonly<Record<string, unknown>>) : {}
}

export function textAt(value: unknown, key: string): string | undefined {
  const found = recordOf(value)[key]
  return typeof found === "string" ? found : undefined
}

export function numberAt(value: unknown, key: string): number | undefined {
  const found = recordOf(value)[key]
  return typeof found === "number" ? found : undefined
}

export function flagAt(value: unknown, key: string): boolean {
  return recordOf(value)[key] === true
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = recordOf(value)[key]
  return Array.isArray(found) ? found : []
}

export function textsAt(value: unknown, key: string): readonly string[] {
  return listAt(value, key).filter((entry) => typeof entry === "string")
}
