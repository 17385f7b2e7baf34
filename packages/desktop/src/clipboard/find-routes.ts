import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { findProgram } from "@haft/host"
import type { ClipboardOptions } from "./create-clipboard.js"
import type { ClipboardRoute } from "./route.js"
import { pasteboardRoute } from "./macos.js"
import { powershellRoute } from "./windows.js"
import { waylandRoute } from "./wayland.js"
import { x11Route } from "./x11.js"
import { clipboardRunner } from "./run-program.js"

/** The ways to the clipboard of this system, the most direct first; none where there is no display. */
export async function findRoutes(options: ClipboardOptions): Promise<ClipboardRoute[]> {
  const { environment, platform = process.platform, roots = [], timeLimitMs = 5_000 } = options
  const run = clipboardRunner({ environment, platform, timeLimitMs })
  const path = environment.PATH ?? environment.Path ?? ""
  const find = (program: string) => findProgram(program, { path, roots })
  const routes: (ClipboardRoute | undefined)[] = []
  if (platform === "darwin") {
    routes.push(pasteboardRoute({ run, pbcopy: await find("pbcopy"), pbpaste: await find("pbpaste") }))
  } else if (platform === "win32") {
    routes.push(powershellRoute({ run, powershell: (await find("powershell")) ?? (await find("pwsh")) }))
  } else {
    if (environment.WAYLAND_DISPLAY) {
      routes.push(waylandRoute({ run, copy: await find("wl-copy"), paste: await find("wl-paste") }))
    }
    if (environment.DISPLAY) {
      const xsel = (await find("xsel")) ?? (await bundledXsel())
      routes.push(x11Route({ run, xclip: await find("xclip"), xsel }))
    }
    // Linux inside Windows without a display of its own still has the clipboard of Windows.
    if (environment.WSL_DISTRO_NAME) routes.push(powershellRoute({ run, powershell: await find("powershell.exe") }))
  }
  return routes.filter((route) => route !== undefined)
}

/** The xsel that comes with clipboardy, for machines that have no program of their own. */
async function bundledXsel(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined
  try {
    const entry = createRequire(import.meta.url).resolve("clipboardy")
    return await findProgram(join(dirname(entry), "fallbacks", "linux", "xsel"), { path: "", roots: [] })
  } catch {
    return undefined
  }
}
