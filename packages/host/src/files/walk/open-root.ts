import { existsSync, lstatSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import { ToolError } from "@haft/contract"
import { fileError, isMissing } from "../system/errno.js"
import { isRemote } from "../system/program.js"
import { linuxWalk } from "./linux/index.js"
import { portableWalk } from "./portable/index.js"
import type { Root, Walk } from "./walk.js"

/** Opens a root: its identity is fixed from now on. A missing path is `not_found`, anything but a directory `unsupported`. */
export function openRoot(path: string, walk: Walk = platformWalk()): Root {
  const spelled = resolve(path)
  try {
    const real = realpathSync.native(spelled)
    const facts = lstatSync(real)
    if (!facts.isDirectory()) {
      throw new ToolError("unsupported", `Cannot open "${path}" as a root: it is not a directory; name a directory`)
    }
    const held = walk.holdRoot(real)
    return {
      path: real,
      spelled,
      device: facts.dev,
      inode: facts.ino,
      remote: isRemote(real, facts),
      walk,
      held,
      close: () => held.close(),
    }
  } catch (error) {
    if (!isMissing(error)) throw fileError(error, "open as a root", path)
    throw new ToolError("not_found", `Cannot open "${path}" as a root: it does not exist; create the directory first`, {
      cause: error,
    })
  }
}

function platformWalk(): Walk {
  return process.platform === "linux" && existsSync("/proc/self/fd") ? linuxWalk : portableWalk
}
