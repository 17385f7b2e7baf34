import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The text as it is. */
export const present: Present<typeof manifest> = ({ content }) => [text(content)]
