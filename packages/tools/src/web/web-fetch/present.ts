import { type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** The page under its title and address. */
export const present: Present<typeof manifest> = ({ url, title, content }) => [
  text(`${title === undefined ? "" : `${title}\n`}${url}\n\n${content}`),
]
