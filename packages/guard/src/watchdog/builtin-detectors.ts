import type { Detector } from "./detector.js"
import { destructiveCommands } from "./detectors/destructive-commands.js"
import { exfiltration } from "./detectors/exfiltration.js"
import { fullScreenPrograms } from "./detectors/full-screen-programs.js"
import { hiddenCharacters } from "./detectors/hidden-characters.js"
import { privilegeAndPersistence } from "./detectors/privilege-and-persistence.js"
import { repeatedCalls } from "./detectors/repeated-calls.js"
import { taint } from "./detectors/taint.js"

/** The detectors that every session has, one line each; a host may replace or leave out any of them by its id. */
export function builtinDetectors(): readonly Detector[] {
  return detectors
}

const detectors: readonly Detector[] = [
  hiddenCharacters,
  repeatedCalls,
  // Before the next: of two that ask the first gives the reason, and what a file is for says more than where it lies.
  privilegeAndPersistence,
  destructiveCommands,
  exfiltration,
  taint,
  fullScreenPrograms,
]
