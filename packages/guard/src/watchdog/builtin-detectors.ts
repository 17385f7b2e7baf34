import { destructiveCommands, privilegeAndPersistence } from "./detectors/dangerous-commands.js"
import { exfiltration, taint } from "./detectors/exfiltration.js"
import { fullScreenPrograms } from "./detectors/full-screen-programs.js"
import { hiddenCharacters } from "./detectors/hidden-characters.js"
import { type Detector, repeatedCalls } from "./run-watchdog.js"

/** The detectors that every session has, one line each; a host may replace or leave out any of them by its id. */
export function builtinDetectors(): readonly Detector[] {
  return detectors
}

const detectors: readonly Detector[] = [
  hiddenCharacters,
  repeatedCalls,
  // Before the next: of two that ask the first gives the reason, and what a file is for says more than where it is.
  privilegeAndPersistence,
  destructiveCommands,
  exfiltration,
  taint,
  fullScreenPrograms,
]
