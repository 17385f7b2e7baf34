import { type Present, text } from "@haft/contract"
import { valueText } from "@haft/tools/launcher/shared/scalar.js"
import type { manifest } from "./manifest.js"

/** The bare value. */
export const present: Present<typeof manifest> = ({ result }) => [text(valueText(result))]
