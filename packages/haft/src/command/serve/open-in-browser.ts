import { spawn } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { writePrivateFile } from "../../config/write-private-file.js"

/**
 * Opens the page in the browser of the person. The browser gets a file that only the user can read and that leads there:
 * other users of the machine see the words of a command line, and the address holds the key.
 */
export async function openInBrowser(url: string, home: string): Promise<void> {
  const file = join(home, "open-workbench.html")
  writePrivateFile(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>Haft</title>\n`)
  const [program, ...words] = opener()
  const started = spawn(program, [...words, pathToFileURL(file).href], { stdio: "ignore", detached: true })
  // Without a browser the printed address is there.
  started.once("error", () => undefined)
  started.unref()
}

function opener(): readonly [string, ...string[]] {
  if (process.platform === "darwin") return ["open"]
  if (process.platform === "win32") return ["cmd", "/c", "start", ""]
  return ["xdg-open"]
}
