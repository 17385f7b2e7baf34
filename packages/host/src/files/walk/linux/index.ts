import type { Walk } from "../walk.js"
import { find } from "./find.js"
import { enter, holdQuickly, holdRoot, lookQuickly } from "./hold.js"
import { pin, pinEntry } from "./pin.js"

/** Walks by descriptors through /proc/self/fd: no swap of a directory for a link can lead out of a root. */
export const linuxWalk: Walk = {
  holdRoot,
  enter,
  pinEntry,
  find,
  pin,
  quick: { hold: holdQuickly, look: lookQuickly },
}
