import type { Execute } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Reads without a value, sets with one; what may be set is decided by the port. */
export const execute: Execute<typeof manifest> = async ({ setting, value }, { settings }) => {
  if (value === undefined) return { setting, value: await settings.get(setting) }
  const done = await settings.set(setting, value)
  return { setting, value: done.value, previous_value: done.previous }
}
