import { setTimeout } from "node:timers/promises"
import { ToolError } from "@haft/contract"
import { type ClipboardRoute, decodeText, notText } from "./route.js"
import type { RunClipboardProgram } from "./run-program.js"

/** The clipboard of an X11 display by xclip, which can say what kinds of content there are. */
export function xclipRoute(file: string): ClipboardRoute {
  const selection = ["-selection", "clipboard"]
  const output = (run: RunClipboardProgram, target: string) =>
    run({ file, args: [...selection, "-out", "-target", target] })
  return seenBeforeDone({
    async read(run) {
      const kinds = await output(run, "TARGETS")
      if (kinds === undefined || /can't open display/i.test(kinds.stderr)) return undefined
      // Nobody owns the clipboard: it is empty.
      if (kinds.exitCode !== 0) return ""
      const offered = kinds.stdout.toString("utf8").split("\n").filter(Boolean)
      if (!offered.some((kind) => textTargets.has(kind))) throw notText(offered.filter((kind) => !noContent.has(kind)))
      // Asked for first even where it is not listed: xsel has it and lists only STRING, which cannot say every character.
      const text = await output(run, "UTF8_STRING")
      if (text?.exitCode === 0) return decodeText(text.stdout)
      const plain = await output(run, "STRING")
      return plain?.exitCode === 0 ? plain.stdout.toString("latin1") : ""
    },
    async write(text, run) {
      const end = await run({ file, args: [...selection, "-in"], input: text })
      return end?.exitCode === 0 ? true : undefined
    },
  })
}

/** The same by xsel, which cannot tell content that is no text from none: both read as empty. */
export function xselRoute(file: string): ClipboardRoute {
  return seenBeforeDone({
    async read(run) {
      const end = await run({ file, args: ["--clipboard", "--output"] })
      return end?.exitCode === 0 ? decodeText(end.stdout) : undefined
    },
    async write(text, run) {
      const end = await run({ file, args: ["--clipboard", "--input"], input: text })
      return end?.exitCode === 0 ? true : undefined
    },
  })
}

const textTargets = new Set(["UTF8_STRING", "STRING", "TEXT"])
// Names that owners of the clipboard offer and that are no content.
const noContent = new Set(["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE"])

/**
 * Both programs go to the background before they own the clipboard, so a look at it right afterwards could still see what
 * was there before. When something else stays there another program was faster, which is no failure.
 */
function seenBeforeDone(route: ClipboardRoute): ClipboardRoute {
  return {
    read: route.read,
    async write(text, run) {
      const done = await route.write(text, run)
      for (let pause = 1; done && pause <= 256; pause *= 2) {
        if ((await route.read(run).catch(ignoreOtherContent)) === text) break
        await setTimeout(pause)
      }
      return done
    },
  }
}

function ignoreOtherContent(error: unknown): undefined {
  if (ToolError.is(error) && error.code !== "cancelled") return undefined
  throw error
}
