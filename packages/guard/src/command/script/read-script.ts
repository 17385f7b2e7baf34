import { isBelow, isInside } from "@haft/contract"
import { joinPath, nameOf } from "../../path.js"
import { analyzeBash } from "../analyze-bash.js"
import { needsWorker } from "../shell/walk.js"
import { runnerSettings } from "./runner-settings.js"
import { type Script, scriptOfCommand } from "./script-of.js"
import { scriptText } from "./script-text.js"
import { type Peek, withIncludes } from "./with-includes.js"

/** What is needed to find the file of a script. */
export interface ScriptPlaces {
  /** The text of a file; undefined when there is none. */
  readonly peek: Peek
  /** Folders above these are not looked into. */
  readonly roots: readonly string[]
}

/** The text that a script runs, as far as it can be known. */
export interface ScriptText {
  readonly text: string
  /** False when text of other files belongs to it that is not known before it runs. */
  readonly complete: boolean
  /** Tells this text from every other, also from one that looks the same but is put together otherwise; to be digested. */
  readonly identity: string
  /** Every path that was looked at, also where there is nothing. */
  readonly paths: ReadonlySet<string>
}

/**
 * The text that a script runs, out of the file in which its program finds it, with the settings that choose its shell and
 * the scripts that it runs in turn; undefined when there is none.
 */
export function readScript(script: Script, { peek, roots }: ScriptPlaces): ScriptText | undefined {
  const paths = new Set<string>()
  const look: Peek = (path) => {
    paths.add(path)
    return asText(peek(path, (place) => paths.add(place)))
  }
  const places: ScriptPlaces = { peek: look, roots }
  const own = ownText(script, places)
  if (!own) return undefined
  const behind = scriptsBehind(script, own, places)
  const texts = [own.text, ...own.settings, ...behind.texts]
  const text = texts.join("\n")
  // Lines of one file must not count as those of another one: a list is distinguished from a text by what no text holds.
  const identity = texts.length === 1 ? text : `\0${JSON.stringify(texts)}`
  return { text, complete: own.complete && behind.complete, identity, paths }
}

/** Bytes that are no text are all read as the same letter, so that nothing would tell one program from another. */
function asText(text: string | null | undefined): string | null | undefined {
  return text != null && /[\0\ufffd]/.test(text) ? null : text
}

/** What one file gives to a script. */
interface OwnText {
  readonly text: string
  readonly complete: boolean
  /** Settings beside the file that choose which program runs the text. */
  readonly settings: readonly string[]
  /** The folder that the text is run in. */
  readonly folder: string
}

/** The text of a script without what it runs in turn; undefined when there is none, null when it cannot be read. */
function ownText(script: Script, { peek, roots }: ScriptPlaces): OwnText | null | undefined {
  if (script.kind === "file") return fileText(script, { peek, roots })
  const start = joinPath(script.file, "..")
  const folders = looksUpwards.has(script.kind) ? foldersUpwards(start, roots) : [start]
  for (const folder of folders) {
    for (const name of names[script.kind]) {
      const whole = peek(joinPath(folder, name))
      if (whole === undefined) continue
      // The program takes this file and no other, whatever is in it.
      return whole === null ? null : textIn(script, { text: whole, folder }, { peek, roots })
    }
  }
  return undefined
}

function textIn(
  script: Script,
  file: { readonly text: string; readonly folder: string },
  { peek, roots }: ScriptPlaces,
): OwnText | undefined {
  const { folder } = file
  if (script.kind !== "make") {
    const text = scriptText(script, file.text)
    const settings = runnerSettings(foldersUpwards(folder, roots), peek)
    return text === undefined ? undefined : { text, complete: settings !== undefined, settings: settings ?? [], folder }
  }
  const { text: whole, complete } = withIncludes(file, peek)
  const text = scriptText(script, whole)
  return text === undefined ? undefined : { text, complete, settings: [], folder }
}

/** The text of a script, with that of the files which options of its program load. */
function fileText(
  { file, others = [], from = "/" }: Script,
  { peek, roots }: ScriptPlaces,
): OwnText | null | undefined {
  const files = [file, ...others].map((path) => ({ path, text: peek(path) }))
  // Words that are no files were values of options.
  const readable = files.flatMap(({ path, text }) => (text == null ? [] : [{ path, text }]))
  const complete = files.every(({ text }) => text !== null)
  const [first, ...rest] = readable
  if (first === undefined) return complete ? undefined : null
  const text =
    rest.length === 0 ? first.text : readable.map((each) => titled(shortened(each.path, roots), each.text)).join("\n")
  return { text, complete, settings: [], folder: from }
}

function titled(name: string, text: string): string {
  return `${name}:\n${text}`
}

// A person reads them, and every judgement of a saved answer does.
const maxFiles = 16
const maxCharacters = 256 * 1024

/**
 * The texts that a script runs in turn, and those that they run: each once, in the order in which they are met. What is not
 * compared is said; complete only when everything that is known to run is.
 */
function scriptsBehind(
  script: Script,
  own: OwnText,
  places: ScriptPlaces,
): { readonly texts: readonly string[]; readonly complete: boolean } {
  const texts: string[] = []
  const seen = new Set([keyOf(script)])
  let complete = true
  let left = maxCharacters
  const queue = [{ script, ...own }]
  for (const { script: outer, text, folder } of queue) {
    for (const inner of runBy(outer, text, folder)) {
      if (seen.has(keyOf(inner))) continue
      seen.add(keyOf(inner))
      const source = seen.size > maxFiles ? null : ownText(inner, places)
      const title = titleOf(inner, places)
      if (source && source.text.length <= left) {
        left -= source.text.length
        complete &&= source.complete
        texts.push(titled(title, source.text), ...source.settings)
        queue.push({ script: inner, ...source })
      } else if (source === undefined) texts.push(`(${title}: there is none)`)
      else {
        complete = false
        texts.push(`(${title}: cannot be shown, or is too much)`)
      }
    }
    if (seen.size > maxFiles) break
  }
  return { texts, complete }
}

function keyOf({ kind, name, file, others = [] }: Script): string {
  return JSON.stringify(kind === "file" ? [file, ...others] : [kind, name, file])
}

function titleOf({ kind, name, file }: Script, { roots }: ScriptPlaces): string {
  return kind === "file" ? shortened(file, roots) : `${shortened(file, roots)} ${name}`.trimEnd()
}

/** The scripts that a text for a shell runs; code of other kinds is not followed. */
function runBy(script: Script, text: string, folder: string): readonly Script[] {
  const shellText = shellTextOf(script, text)
  const interpreter = script.kind === "file" ? scriptOfCommand(shebangOf(text), folder) : undefined
  const found = shellText === undefined ? [] : linesOf(shellText).flatMap((line) => scriptsIn(line, folder))
  return interpreter ? [interpreter, ...found] : found
}

function scriptsIn(shellText: string, directory: string): readonly Script[] {
  const { parts } = analyzeBash(shellText, { directory, home: "/", roots: [] })
  return parts.flatMap((part) => part.script ?? [])
}

/** A script as a whole, or of a long one the single lines that look as if they run another: reading all of it would take too long. */
function linesOf(script: string): readonly string[] {
  if (!needsWorker(script)) return [script]
  const lines = script.split("\n").filter((line) => line.length < maxLine && mayRun.test(line) && !needsWorker(line))
  return lines.slice(0, maxLines)
}

const maxLine = 500
const maxLines = 100
const mayRun =
  /(?:^|[\s;&|("'`])(?:\.{0,2}\/?[\w.-]+\/|\.\/|(?:ba|da|z|k)?sh\s|(?:source|\.|python\d?|node|perl|ruby|make|just|npm|pnpm|yarn|bun)\s)/

function shellTextOf({ kind, name, file }: Script, text: string): string | undefined {
  switch (kind) {
    case "npm":
      // `name: script` where there are several.
      return text.replace(/^[\w:.-]+: /gm, "")
    case "make":
      return text.replace(/^[^\s#].*$/gm, "").replace(/^\s+[@+-]*/gm, "")
    case "file": {
      const shebang = shebangOf(text).join(" ")
      // A program without such a line is run by the shell.
      const isOfShell = shebang === "" ? nameOf(file) === name : /\b(?:ba|da)?sh\b/.test(shebang)
      return isOfShell || /^(?:bash|sh|dash|ash|source|\.)$/.test(name) ? text : undefined
    }
  }
}

/** The words of the first line that name the program which runs the file. */
function shebangOf(text: string): readonly string[] {
  return /^#!(.*)/.exec(text)?.[1]?.trim().split(/\s+/) ?? []
}

/** A path below a root as people know it. */
function shortened(file: string, roots: readonly string[]): string {
  const root = roots.find((each) => isBelow(file, each))
  return root === undefined ? file : file.slice(root.length + 1)
}

/** In the order in which each program looks. */
const names: Readonly<Record<Exclude<Script["kind"], "file">, readonly string[]>> = {
  npm: ["package.json"],
  make: ["GNUmakefile", "makefile", "Makefile"],
}

/** These also look in the folders above the one that they are started in. */
const looksUpwards: ReadonlySet<Script["kind"]> = new Set(["npm"])

function foldersUpwards(start: string, roots: readonly string[]): readonly string[] {
  const root = roots.find((each) => isInside(start, each))
  const folders = [start]
  if (root === undefined) return folders
  for (let folder = start; folder !== root; ) {
    folder = joinPath(folder, "..")
    folders.push(folder)
  }
  return folders
}
