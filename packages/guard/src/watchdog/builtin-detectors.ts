import type { Detector } from "./detector.js"
import { hiddenCharacters } from "./detectors/hidden-characters.js"
import { repeatedCalls } from "./detectors/repeated-calls.js"

/** The detectors that every session has, one line each; detectors over analysed commands join this list. */
export function builtinDetectors(): readonly Detector[] {
  return detectors
}

const detectors: readonly Detector[] = [hiddenCharacters, repeatedCalls]
