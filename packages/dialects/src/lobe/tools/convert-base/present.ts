import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The bare digits. */
export const present: Present<typeof manifest> = ({ result }) => [text(result)]
