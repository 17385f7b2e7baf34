import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const readme = readFileSync(join(root, "README.md"), "utf8")
const folder = mkdtempSync(join(realpathSync(tmpdir()), "haft-tour-"))
const home = join(folder, "home")
const programs = join(folder, "bin")

beforeAll(() => {
  mkdirSync(home)
  mkdirSync(programs)
  // npm links the command at install; a checkout whose install is older than the command lacks the link.
  chmodSync(join(root, "packages/haft/bin/haft.cjs"), 0o755)
  symlinkSync(join(root, "packages/haft/bin/haft.cjs"), join(programs, "haft"))
  const built = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, encoding: "utf8" })
  expect(built.stderr).toBe("")
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("every command of the README's tour works in its order and ends as the README says", () => {
  const commands = tourCommands(readme)
  expect(commands.length).toBeGreaterThan(8)
  const ended = runAll(commands)
  expect(ended.map(({ line, code }) => ({ line, code }))).toEqual(commands.map(({ line, code }) => ({ line, code })))
}, 180_000)

test("the README's library example runs as it is printed", () => {
  const [, example = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? []
  expect(example).toContain("createHaft")
  const environment = { ...process.env, HOME: home, HAFT_HOME: join(folder, "library-home") }
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", example], {
    cwd: root,
    env: environment,
    encoding: "utf8",
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
}, 60_000)

interface TourCommand {
  readonly line: string
  /** The exit code that a trailing comment names; 0 without one. */
  readonly code: number
}

function tourCommands(text: string): readonly TourCommand[] {
  const tour = text.slice(text.indexOf("## Five-minute tour"), text.indexOf("## From code"))
  return [...tour.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => ({ line, code: Number(/# exit (\d+)/.exec(line)?.[1] ?? 0) }))
}

/** Runs the lines in one shell, as a person would, and notes how each ended. */
function runAll(commands: readonly TourCommand[]): readonly TourCommand[] {
  const mark = "tour-line-ended-with"
  const script = commands.map(({ line }) => `${line}\necho "${mark} $?"`).join("\n")
  const environment = { PATH: `${process.env.PATH}:${programs}`, HOME: home, LANG: "C.UTF-8" }
  const { stdout } = spawnSync("bash", ["-c", script], { cwd: root, env: environment, encoding: "utf8" })
  const codes = [...stdout.matchAll(new RegExp(`^${mark} (\\d+)$`, "gm"))].map(([, code]) => Number(code))
  return commands.map(({ line }, index) => ({ line, code: codes[index] ?? -1 }))
}
