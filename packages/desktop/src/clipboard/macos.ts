import { type ClipboardRoute, decodeText, notText } from "./route.js"

/** The general pasteboard of macOS. */
export function pasteboardRoute(pbcopy: string, pbpaste: string): ClipboardRoute {
  return {
    async read(run) {
      const end = await run({ file: pbpaste, args: [] })
      if (end?.exitCode !== 0) return undefined
      if (end.stdout.length > 0) return decodeText(end.stdout)
      const info = await run({ file: "/usr/bin/osascript", args: ["-e", "clipboard info"] })
      const kinds = info?.exitCode === 0 ? kindsIn(info.stdout.toString("utf8")) : []
      if (kinds.length > 0 && !kinds.some((kind) => /text|string|utf8/i.test(kind))) throw notText(kinds)
      return ""
    },
    async write(text, run) {
      const end = await run({ file: pbcopy, args: [], input: text })
      return end?.exitCode === 0 ? true : undefined
    },
  }
}

/** From `«class PNGf», 1234, TIFF picture, 5678`: the names without their sizes. */
function kindsIn(info: string): readonly string[] {
  return info
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && !/^\d+$/.test(part))
}
