import { posix, win32 } from "node:path"

/** What says where applications lie. */
export interface ApplicationPlaces {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/** The folders that list the applications of this machine, the ones that win first. */
export function defaultApplicationFolders({ platform, environment, home }: ApplicationPlaces): readonly string[] {
  if (platform === "darwin") {
    return [posix.join(home, "Applications"), "/Applications", "/System/Applications"]
  }
  if (platform === "win32") {
    return [environment.APPDATA, environment.ProgramData]
      .filter((folder) => folder !== undefined && folder !== "")
      .map((folder) => win32.join(folder!, "Microsoft", "Windows", "Start Menu", "Programs"))
  }
  const own = environment.XDG_DATA_HOME || posix.join(home, ".local", "share")
  const shared = (environment.XDG_DATA_DIRS || "/usr/local/share:/usr/share").split(":")
  const folders = [
    own,
    ...shared,
    posix.join(own, "flatpak", "exports", "share"),
    "/var/lib/flatpak/exports/share",
    "/var/lib/snapd/desktop",
  ]
  return [...new Set(folders.filter((folder) => posix.isAbsolute(folder)))].map((folder) =>
    posix.join(folder, "applications"),
  )
}
