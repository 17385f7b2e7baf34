import type { Execute } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Replaces what is on the clipboard. */
export const execute: Execute<typeof manifest> = async ({ text }, { clipboard }) => {
  const { source } = await clipboard.write(text)
  return { ok: true, source }
}
