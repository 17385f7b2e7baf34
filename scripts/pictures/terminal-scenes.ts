import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TerminalRun } from "../../packages/haft/test/terminal-run.js"
import { terminalPicture } from "./terminal-picture.js"

/** What the README shows of the terminal. A question is drawn as it waits for a key. */
const scenes: readonly Scene[] = [
  { name: "prompt.svg", words: ["edit", "src/price.js", "price - 5", "price * 0.95"], waitsAt: "Esc" },
  { name: "explain.svg", words: ["explain", "bash", "npm install left-pad"] },
]

interface Scene {
  readonly name: string
  /** What is typed after `haft`. */
  readonly words: readonly string[]
  readonly waitsAt?: string
}

/** Runs the built command at a real terminal in a small project and draws what it shows. Nothing of the machine is in it. */
export async function terminalPictures(root: string): Promise<ReadonlyMap<string, string>> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "haft-pictures-")))
  const project = join(home, "shop")
  mkdirSync(join(project, "src"), { recursive: true })
  writeFileSync(join(project, "src/price.js"), priceFile)
  try {
    const pictures = new Map<string, string>()
    for (const scene of scenes) {
      const typed = scene.words.map((word) => (word.includes(" ") ? `'${word}'` : word)).join(" ")
      const shown = await shownBy(scene, { root, home, project })
      const anywhere = shown.replaceAll(project, "~/shop").replace(/ses_\w+/g, "ses_1ecb9b5c3000e3MtkfWcc3wgHF")
      pictures.set(scene.name, terminalPicture(`\u001b[1m$ haft ${typed}\u001b[22m\r\n${anywhere}`))
    }
    return pictures
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const priceFile = `/** What a regular customer pays. */
export function discounted(price) {
  return price - 5
}
`

async function shownBy({ words, waitsAt }: Scene, { root, home, project }: Place): Promise<string> {
  const run = new TerminalRun([process.execPath, join(root, "packages/haft/bin/haft.cjs"), ...words], {
    cwd: project,
    env: { HOME: home, HAFT_HOME: join(home, "state"), LANG: "C.UTF-8", TERM: "xterm-256color" },
  })
  if (waitsAt === undefined) {
    await run.code()
    return run.shown
  }
  await run.until(waitsAt)
  await run.until("\r\n")
  const { shown } = run
  await run.press("n")
  await run.code()
  return shown
}

interface Place {
  readonly root: string
  readonly home: string
  readonly project: string
}
