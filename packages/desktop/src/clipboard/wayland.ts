import { type ClipboardRoute, decodeText, notText } from "./route.js"

/** The clipboard of a Wayland session, by the programs of wl-clipboard. */
export function waylandRoute(copy: string, paste: string): ClipboardRoute {
  return {
    async read(run) {
      const kinds = await run({ file: paste, args: ["--list-types"] })
      if (kinds === undefined) return undefined
      if (kinds.exitCode !== 0) return isEmpty.test(kinds.stderr) ? "" : undefined
      const offered = kinds.stdout.toString("utf8").split("\n").filter(Boolean)
      const type = textTypes.find((each) => offered.includes(each))
      if (type === undefined) throw notText(offered)
      const text = await run({ file: paste, args: ["--no-newline", "--type", type] })
      return text?.exitCode === 0 ? decodeText(text.stdout) : ""
    },
    async write(text, run) {
      // Given a type it does not start a program to guess one.
      const args = text === "" ? ["--clear"] : ["--type", "text/plain"]
      const end = await run({ file: copy, args, input: text })
      return end?.exitCode === 0 ? true : undefined
    },
  }
}

const isEmpty = /nothing is copied|no selection/i
const textTypes = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"]
