/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** JSON with sorted keys and no undefined: equal values give equal text, whatever order their keys were set in. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null"
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof (value as { toJSON?: unknown }).toJSON === "function")
    return canonicalJson(JSON.parse(JSON.stringify(value)))
  const record = value as Record<string, unknown>
  let members = ""
  // Not a list of keys for JSON.stringify, which takes twice as long.
  for (const key of Object.keys(record).sort()) {
    const member = record[key]
    if (member === undefined || typeof member === "function") continue
    members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(member)}`
  }
  return `{${members}}`
}
