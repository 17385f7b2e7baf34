import { boxImagesFolder } from "@haft/box"
import { nearestNames, ToolError } from "@haft/contract"
import { findPlaces } from "../../config/places.js"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { managedFile } from "../io.js"
import { note } from "../print.js"
import { type ImageAction, imageActions } from "./image-actions.js"

/** `haft box image`: builds, lists, warms, imports and removes images. */
export const run: Run = async (invocation, io) => {
  const [name = "", ...operands] = invocation.operands
  const action = Object.hasOwn(imageActions, name) ? imageActions[name]! : unknownAction(name)
  checkOperands(name, action, operands)
  const places = findPlaces(io.env, io.cwd, io.managedFile ?? managedFile)
  await action.run({
    invocation,
    io,
    operands,
    options: {
      imagesFolder: boxImagesFolder(places.home),
      onStep: (words: string) => note(invocation, io, words),
      ...(io.signal && { signal: io.signal }),
    },
  })
  return exitCodes.ok
}

function checkOperands(name: string, { operands, count }: ImageAction, given: readonly string[]): void {
  const [least, most] = count
  if (given.length >= least && given.length <= most) return
  throw new ToolError(
    "invalid_args",
    `Cannot run "haft box image ${name}": it takes ${operands || "no further words"}`,
    {
      hint: "See haft help box image",
    },
  )
}

function unknownAction(name: string): never {
  const known = Object.keys(imageActions)
  const [near] = nearestNames(name, known, 1)
  throw new ToolError("invalid_args", `Cannot run "haft box image ${name}": there is no such command`, {
    hint: near ? `Did you mean ${near}?` : `Known: ${known.join(", ")}`,
  })
}
