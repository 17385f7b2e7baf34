import type { RootPlaces } from "@haft/guard"
import type { Places } from "../config/places.js"

/** The places that make a root above them a wide one. */
export function widenessOf(places: Places): RootPlaces {
  return { home: places.userHome, haftHome: places.home, haftConfig: places.configHome }
}
