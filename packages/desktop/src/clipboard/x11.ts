import { setTimeout } from "node:timers/promises"
import type { RunClipboardProgram } from "./run-program.js"
import { type ClipboardRoute, decodeText, notText, type RouteParts } from "./route.js"

/**
 * The clipboard of an X11 display. xclip is preferred: it can say what kinds of content there are, and offers text as UTF-8
 * by name, which xsel forgets to.
 */
export function x11Route({
  run,
  xclip,
  xsel,
}: RouteParts & { readonly xclip: string | undefined; readonly xsel: string | undefined }): ClipboardRoute | undefined {
  const route = xclip !== undefined ? xclipRoute(run, xclip) : xsel !== undefined ? xselRoute(run, xsel) : undefined
  if (route === undefined) return undefined
  return {
    read: route.read,
    async write(text) {
      const done = await route.write(text)
      if (done) await untilSeen(text, route.read)
      return done
    },
  }
}

function xclipRoute(run: RunClipboardProgram, file: string): ClipboardRoute {
  const args = ["-selection", "clipboard"]
  const output = (target: string) => run({ file, args: [...args, "-out", "-target", target] })
  return {
    async read() {
      const kinds = await output("TARGETS")
      if (kinds === undefined || /can't open display/i.test(kinds.stderr)) return undefined
      // Nobody owns the clipboard: it is empty.
      if (kinds.exitCode !== 0) return ""
      const offered = kinds.stdout.toString("utf8").split("\n").filter(Boolean)
      if (!offered.some((kind) => textTargets.has(kind))) throw notText(offered.filter((kind) => !noContent.has(kind)))
      // Asked for first even where it is not listed: xsel has it and lists only STRING, which cannot say every character.
      const text = await output("UTF8_STRING")
      if (text?.exitCode === 0) return decodeText(text.stdout)
      const plain = await output("STRING")
      return plain?.exitCode === 0 ? plain.stdout.toString("latin1") : ""
    },
    async write(text) {
      const end = await run({ file, args: [...args, "-in"], input: text })
      return end?.exitCode === 0 ? true : undefined
    },
  }
}

/** xsel cannot tell content that is no text from none: both read as empty. */
function xselRoute(run: RunClipboardProgram, file: string): ClipboardRoute {
  return {
    async read() {
      const end = await run({ file, args: ["--clipboard", "--output"] })
      return end?.exitCode === 0 ? decodeText(end.stdout) : undefined
    },
    async write(text) {
      const end = await run({ file, args: ["--clipboard", "--input"], input: text })
      return end?.exitCode === 0 ? true : undefined
    },
  }
}

const textTargets = new Set(["UTF8_STRING", "STRING", "TEXT"])
// Names that owners of the clipboard offer and that are no content.
const noContent = new Set(["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE"])

/**
 * Both programs go to the background before they own the clipboard, so a look at it right afterwards could still see what
 * was there before. When something else stays there another program was faster, which is no failure.
 */
async function untilSeen(text: string, read: () => Promise<string | undefined>): Promise<void> {
  for (let pause = 1; pause <= 256; pause *= 2) {
    if ((await read().catch(() => undefined)) === text) return
    await setTimeout(pause)
  }
}
