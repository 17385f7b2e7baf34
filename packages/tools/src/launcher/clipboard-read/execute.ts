import type { Execute } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Reads the clipboard as it is now. */
export const execute: Execute<typeof manifest> = (_input, { clipboard }) => clipboard.read()
