import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { dialectTools } from "@haft/dialects"
import { catalog } from "@haft/tools"
import { expect, test } from "vitest"

/**
 * The texts of errors as they are in the source, for those that no test can provoke: what a model is told names no flag,
 * no command of the terminal, and no tool other than by a placeholder that is filled in with what is offered.
 */

const packages = fileURLToPath(new URL("../../", import.meta.url))
const sources = ["box", "dialects", "guard", "host", "runtime", "tools"].flatMap((name) =>
  filesBelow(join(packages, name, "src")),
)
const tools = [...catalog, ...(await dialectTools())].map(({ manifest }) => manifest)
const ids = new Set<string>(tools.map(({ id }) => id))
const keys = new Set(tools.flatMap(({ input }) => Object.keys(input.def.shape as object)))

function filesBelow(folder: string): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter(
      (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !/(^|\/)(testing|generated|examples)/.test(name),
    )
    .map((name) => {
      const path = join(folder, name)
      return { path: relative(packages, path), text: withoutComments(readFileSync(path, "utf8")) }
    })
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1")
}

/** Every `new ToolError(...)` and `new FetchFailure(...)`, whole, without what is for people and programs. */
function errorTexts(text: string): readonly string[] {
  return [...text.matchAll(/new (?:ToolError|FetchFailure)\(/g)].map(({ index }) => {
    let depth = 0
    let end = text.indexOf("(", index)
    do {
      depth += text[end] === "(" ? 1 : text[end] === ")" ? -1 : 0
      end += 1
    } while (depth > 0 && end < text.length)
    return text
      .slice(index, end)
      .replace(/\b(?:fix|details|cause):[\s\S]*?(?=,\s*(?:hint|fix|details|cause)\b|\s*\}\s*,?\s*\)$|$)/g, "")
  })
}

// Thrown before there is a session, or by commands that people type: no model reads them.
const forPeople = [
  "store/src/", // the journal: opened, undone, imported and exported by people
  "box/src/image/", // haft box image
  "box/src/backend/choose-backend.ts", // haft box doctor
  "host/src/git/install-missing-git.ts", // its fixes are handed on as fixes
  "host/src/git/detect-git.ts", // haft doctor
  "host/src/sandbox/plan/choose-backend.ts", // fixes of probes
  "project/src/skills/open-skills.ts", // haft skill list
  "host/src/address/judge-addresses.ts", // fixes
  "host/src/proxy/judge-destination.ts", // fixes
  "guard/src/rules/rule.ts", // makes the flags that the terminal shows
  "guard/src/command/program/", // options of other programs
  "guard/src/command/script/script-of.ts", // options of other programs
  "guard/src/watchdog/detectors/dangerous-commands.ts", // options of other programs
  "guard/src/capability/check-capability.ts", // a fix
  "box/src/refusal.ts", // fixes
  "host/src/undo/undo-call.ts", // undo is typed by people
  "runtime/src/call/ladder/call-facts.ts", // options of git
]

test("the scan sees the errors", () => {
  expect(sources.flatMap(({ text }) => errorTexts(text)).length).toBeGreaterThan(300)
})

test("no text of an error names a flag or a command of the terminal", () => {
  const found = sources.flatMap(({ path, text }) =>
    errorTexts(text).flatMap((error) =>
      /(?<![\w-])--[a-z]|\bhaft [a-z]/.test(error) &&
      !path.startsWith("store/src/") &&
      path !== "host/src/undo/undo-call.ts" &&
      !path.startsWith("box/src/image/")
        ? [`${path}: ${error.replace(/\s+/g, " ")}`]
        : [],
    ),
  )
  expect(found).toEqual([])
})

test("no other text does either, but for those that are for people", () => {
  const command =
    /\bhaft (?:call|explain|tools|run|chat|serve|mcp|acp|session|undo|rule|skill|extension|box|doctor|init|config|trust)\b/
  const flag =
    /(?<![\w-])--(?:allow|deny|ask|root|grant-net|yes|session|sandbox|mode|toolset|dialect|headless|dry-run)\b/
  const found = sources.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index, lines) => {
      if (!command.test(line) && !flag.test(line)) return []
      if (forPeople.some((place) => path.startsWith(place))) return []
      return /\bfix\b/.test(`${lines[index - 1]} ${line}`) ? [] : [`${path}:${index + 1}: ${line.trim()}`]
    }),
  )
  expect(found).toEqual([])
})

test("a next step names tools by placeholders, each of a tool and an argument that there is", () => {
  const found: string[] = []
  let placeholders = 0
  for (const { path, text } of sources) {
    for (const [, kind, names] of text.matchAll(/\{(tool|key):([^}$]+)\}/g)) {
      for (const name of names!.split("|")) {
        placeholders += 1
        if (!(kind === "tool" ? ids : keys).has(name)) found.push(`${path}: {${kind}:${name}}`)
      }
    }
    for (const error of errorTexts(text)) {
      const words = error.replace(/\{(?:tool|key):[^}]+\}/g, "").replace(/\$\{[^}]*\}/g, "")
      // The program git, not the tool.
      for (const [, name] of words.matchAll(/\b(?:with|use|using) ([a-z_]+)(?![\w-])/gi))
        if (ids.has(name!) && name !== "git") found.push(`${path}: names "${name}": ${error.replace(/\s+/g, " ")}`)
    }
  }
  expect(found).toEqual([])
  expect(placeholders).toBeGreaterThan(30)
})
