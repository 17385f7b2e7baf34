import { findProgram } from "@haft/host"
import type { ClipboardOptions } from "./create-clipboard.js"
import { pasteboardRoute } from "./macos.js"
import type { ClipboardRoute } from "./route.js"
import { waylandRoute } from "./wayland.js"
import { powershellRoute } from "./windows.js"
import { xclipRoute, xselRoute } from "./x11.js"

/** The ways to the clipboard of a system. */
export interface FoundRoutes {
  /** The most direct first. */
  readonly routes: readonly ClipboardRoute[]
  /** Why there are no more of them; where there is none at all, what to install. */
  readonly missing: readonly string[]
}

/** Looks for the ways to the clipboard of this system; there is none without a display. */
export function findRoutes({ environment, platform = process.platform, roots = [] }: ClipboardOptions): FoundRoutes {
  const path = environment.PATH ?? environment.Path ?? ""
  const find = (program: string) => findProgram(program, { path, roots })
  const routes: ClipboardRoute[] = []
  const missing: string[] = []
  const add = (route: ClipboardRoute | undefined, reason: string) => {
    if (route) routes.push(route)
    else missing.push(reason)
  }
  if (platform === "darwin") {
    const [pbcopy, pbpaste] = [find("pbcopy"), find("pbpaste")]
    add(pbcopy && pbpaste ? pasteboardRoute(pbcopy, pbpaste) : undefined, "pbcopy or pbpaste is not on the search path")
    return { routes, missing }
  }
  if (platform === "win32") {
    const powershell = find("powershell") ?? find("pwsh")
    add(powershell ? powershellRoute(powershell) : undefined, "PowerShell is not on the search path")
    return { routes, missing }
  }
  const { WAYLAND_DISPLAY: wayland, DISPLAY: x11, WSL_DISTRO_NAME: wsl } = environment
  if (wayland) {
    const [copy, paste] = [find("wl-copy"), find("wl-paste")]
    add(copy && paste ? waylandRoute(copy, paste) : undefined, "wl-copy and wl-paste are not installed (wl-clipboard)")
  }
  if (x11) {
    const [xclip, xsel] = [find("xclip"), find("xsel")]
    const route = xclip ? xclipRoute(xclip) : xsel ? xselRoute(xsel) : undefined
    add(route, "neither xclip nor xsel is installed")
  }
  if (wsl) {
    // Linux inside Windows without a display of its own still has the clipboard of Windows.
    const powershell = find("powershell.exe")
    add(powershell ? powershellRoute(powershell) : undefined, "powershell.exe is not on the search path")
  }
  if (!wayland && !x11 && !wsl) missing.push("there is no display (neither WAYLAND_DISPLAY nor DISPLAY is set)")
  return { routes, missing }
}
