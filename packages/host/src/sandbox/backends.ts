import type { Backend, BackendName } from "./backend.js"
import { bwrap } from "./bwrap/index.js"
import { seatbelt } from "./seatbelt/index.js"
import { unshare } from "./unshare/index.js"

/** Every backend by its name. */
export const backends: Readonly<Record<BackendName, Backend>> = { bwrap, unshare, seatbelt }
