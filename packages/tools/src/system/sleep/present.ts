import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Says how long it was. */
export const present: Present<typeof manifest> = ({ slept_ms }) => [text(`Waited ${slept_ms} ms`)]
