import { parse } from "unbash"
import { needsWorker } from "../needs-worker.js"
import { TooMuch, type Walk } from "./walk.js"

/**
 * The syntax of a text for a shell. Variables make a long text out of a short line, and words of an `exec` are not
 * measured before: where the line itself was not sent to a worker, such a text would hold up the event loop.
 */
export function parseText(walk: Walk, text: string): ReturnType<typeof parse> {
  if (!walk.isApart && needsWorker(text)) throw new TooMuch("the text that it runs is too long to be followed")
  return parse(text)
}
