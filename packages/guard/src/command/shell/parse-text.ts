import { parse } from "unbash"
import { needsWorker } from "../needs-worker.js"
import { TooMuch, type Walk } from "./walk.js"

/**
 * The syntax of a text for a shell. Variables make a long text out of a short line, the same text can be evaluated again
 * and again, and words of an `exec` are not measured before: where the line itself was not sent to a worker, such texts
 * would hold up the event loop.
 */
export function parseText(walk: Walk, text: string): ReturnType<typeof parse> {
  walk.characters += text.length
  if (!walk.isApart && (walk.characters > maxCharacters || needsWorker(text)))
    throw new TooMuch("the text that it runs is too long to be followed")
  return parse(text)
}

// Four times the longest line.
const maxCharacters = 16_384
