import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The id is all that the model does not know yet. */
export const present: Present<typeof manifest> = ({ plan }) => [text(`Created plan ${plan.id}`)]
