import { join } from "node:path"
import type { Variables } from "@haft/guard"
import type { Places } from "./places.js"

/** What patterns of rules mean outside of a session. */
export function variablesFor({
  places,
  roots,
}: {
  readonly places: Places
  readonly roots: readonly string[]
}): Variables {
  return {
    workspace: roots,
    adHoc: [],
    userData: join(places.home, "data"),
    home: places.userHome,
    haftHome: places.home,
    haftConfig: places.configHome,
    scratch: [],
    sidecars: [],
    tmp: [],
  }
}
