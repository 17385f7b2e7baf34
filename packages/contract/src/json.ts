/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** JSON with sorted keys and no undefined: equal values give equal text, whatever order their keys were set in. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof (value as { toJSON?: unknown }).toJSON === "function")
    return canonicalJson(JSON.parse(JSON.stringify(value)))
  const record = value as Record<string, unknown>
  const keys = Object.keys(record).sort()
  // A list of keys would also filter objects inside, so it serves only where there are none.
  if (keys.every((key) => isScalar(record[key]))) return JSON.stringify(record, keys)
  const members: string[] = []
  for (const key of keys) {
    const member = record[key]
    if (member !== undefined && typeof member !== "function")
      members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
  }
  return `{${members.join(",")}}`
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null
}
