import { resolveWord, walkParts } from "./resolve-word.js"
import type { Visit } from "./walk.js"
import { walkCompound } from "./walk-compound.js"
import { walkCommand, walkScript, walkStatements } from "./walk-script.js"

/** The steps of a walk through a line for a shell. */
export const visit: Visit = {
  script: walkScript,
  statements: walkStatements,
  command: walkCommand,
  compound: walkCompound,
  word: resolveWord,
  parts: walkParts,
}
