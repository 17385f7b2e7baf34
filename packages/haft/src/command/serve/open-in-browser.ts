import { spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { bestEffort } from "@haft/contract"
import { writePrivateFile } from "../../config/write-private-file.js"

/**
 * Opens the page in the browser of the person. The browser gets a file that only the user can read and that leads there:
 * other users of the machine see the words of a command line, and the address holds the key. Gives what removes the file.
 */
export function openInBrowser(url: string, home: string): () => void {
  const file = join(home, "open-workbench.html")
  writePrivateFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>Haft</title>\n`)
  const [program, ...words] = opener()
  const started = spawn(program, [...words, pathToFileURL(file).href], { stdio: "ignore", detached: true })
  // Without a browser the printed address is there.
  started.once("error", () => undefined)
  started.unref()
  return () => bestEffort("the key in it is void when the server has ended", () => rmSync(file))
}

function opener(): readonly [string, ...string[]] {
  if (process.platform === "darwin") return ["open"]
  if (process.platform === "win32") return ["cmd", "/c", "start", ""]
  return ["xdg-open"]
}
