/** JSON with sorted keys and no undefined: equal values give equal text, whatever order their keys were set in. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof (value as { toJSON?: unknown }).toJSON === "function")
    return canonicalJson(JSON.parse(JSON.stringify(value)))
  const record = value as Record<string, unknown>
  const members: string[] = []
  for (const key of Object.keys(record).sort()) {
    const member = record[key]
    if (member !== undefined && typeof member !== "function")
      members.push(`${JSON.stringify(key)}:${canonicalJson(member)}`)
  }
  return `{${members.join(",")}}`
}
