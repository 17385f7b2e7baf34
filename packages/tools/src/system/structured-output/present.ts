import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** A fixed confirmation: the model has just written the object. */
export const present: Present<typeof manifest> = () => [text("Structured output provided successfully")]
