import type { Walk } from "../walk.js"
import { find } from "./find.js"
import { enter, holdRoot } from "./hold.js"
import { pin, pinEntry } from "./pin.js"

/** Walks by paths and identities, for platforms that have no /proc/self/fd. */
export const portableWalk: Walk = { holdRoot, enter, pinEntry, find, pin }
