import { type CallView, callPhases, callSubject, firstLine, type Locale, type ToolDefinition } from "@haft/contract"
import { dialectTools } from "@haft/dialects"
import { catalog } from "@haft/tools"
import fc from "fast-check"
import { createElement, type ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import {
  CallCard,
  CallPortal,
  type FaceTool,
  LocaleContext,
  loadFaceTool,
  type Story,
  storiesOf,
} from "../src/index.js"

// The authoring guide asks these things of the surfaces of a tool; each is asked here of every tool that Haft has.
const definitions: readonly ToolDefinition[] = [...catalog, ...(await dialectTools())]

const fetched = vi.fn(() => {
  throw new Error("a face asked the network")
})
beforeAll(() => void vi.stubGlobal("fetch", fetched))
afterAll(() => void vi.unstubAllGlobals())

describe.each(definitions.map((definition) => ({ id: definition.manifest.id, definition })))(
  "$id",
  ({ definition }) => {
    const { messages } = definition
    let tool: FaceTool
    let stories: readonly Story[]
    let args: Record<string, unknown>
    beforeAll(async () => {
      tool = await loadFaceTool(definition)
      stories = await storiesOf(definition)
      args = stories[0]!.call.arguments as Record<string, unknown>
    })
    const story = (state: Story["state"]) => stories.find((each) => each.state === state)!.call

    test("Inspector: something is drawn while arguments stream in, from the first character on", () => {
      const json = JSON.stringify(args)
      for (let share = 0; share <= 1; share += 0.125) {
        const argumentsText = json.slice(0, Math.floor(json.length * share))
        const shown = draw(tool, { ...story("args-streaming"), argumentsText })
        expect(shown).toContain(escaped(messages.en.loading))
      }
    })

    test("Inspector: the title comes from the words of the tool, in every language", () => {
      for (const locale of ["en", "zh-CN"] as const) {
        expect(draw(tool, story("args-streaming"), locale)).toContain(escaped(messages[locale].loading))
        expect(draw(tool, story("ok"), locale)).toContain(escaped(messages[locale].title))
      }
    })

    test("Inspector: before it runs it says what the call is about, in the words that every host has", () => {
      // Up to what is hidden, which is drawn as a sign.
      const [subject = ""] = firstLine(callSubject(args) ?? "")
        .slice(0, 100)
        .split(/\p{Cc}/u)
      expect(draw(tool, { id: "call_1", tool: tool.id, phase: "pending", arguments: args })).toContain(escaped(subject))
    })

    test("Inspector: it handles arguments and state that are missing, while it loads and afterwards", () => {
      for (const phase of callPhases) {
        const bare: CallView = { id: "call_1", tool: tool.id, phase }
        expect(draw(tool, bare)).toContain('class="haft-title')
      }
    })

    test("Render: there is nothing before there is data, and a failure is drawn with its code and next step", () => {
      expect(bodyOf(draw(tool, { id: "call_1", tool: tool.id, phase: "ok" }))).toBe("")
      const error = { type: "conflict", message: "It was changed", hint: "Read it again" }
      const shown = draw(tool, { ...story("error"), error })
      expect(shown).toContain("conflict")
      expect(shown).toContain("It was changed")
      expect(shown).toContain("Read it again")
    })

    test("Render: a result that came has something to see, and so has the whole page", () => {
      expect(textOf(bodyOf(draw(tool, story("ok"))))).not.toBe("")
      expect(textOf(drawPortal(tool, story("ok")))).toContain(messages.en.title)
    })

    test("Placeholder: while the call runs, its place is held", () => {
      expect(bodyOf(draw(tool, story("pending")))).not.toBe("")
    })

    test("Streaming: live output is drawn up to its last line", () => {
      // A tool that gives no output while it runs may have something to show of its arguments instead.
      if (tool.faces?.Streaming && tool.kind !== "execute") return
      expect(draw(tool, { ...story("running"), output: "first\nlast-line-of-output" })).toContain("last-line-of-output")
    })

    test("Intervention: a person sees what is asked, why, and what can be answered", () => {
      const call = story("awaiting-approval")
      const shown = draw(tool, call)
      expect(shown).toContain('role="alertdialog"')
      if (call.request === undefined) return expect(shown).toContain("Send answers")
      for (const words of [
        "Allow once",
        "Always in this project",
        "Reject",
        "haft.jsonc:12",
        "src/index.ts",
        "package.json",
      ]) {
        expect(shown).toContain(words)
      }
      const texts = Object.values(args).filter((value) => typeof value === "string")
      // The text of a change is shown as the change that it makes.
      const shownAsText = texts.filter((value) => !(call.request?.preview && value.includes("\n")))
      for (const value of shownAsText) expect(textOf(shown)).toContain(firstWord(value))
    })

    test("every state is drawn in both languages, long and empty", () => {
      for (const { call } of stories) {
        for (const locale of ["en", "zh-CN"] as const) {
          expect(draw(tool, call, locale)).toContain(`data-phase="${call.phase}"`)
          expect(drawPortal(tool, call, locale)).toContain(`data-phase="${call.phase}"`)
        }
      }
      const long = { ...story("ok"), data: lengthened(story("ok").data), arguments: lengthened(args) as object }
      // What is drawn is bounded, however much came.
      expect(draw(tool, long).length).toBeLessThan(600_000)
      const empty = { ...story("ok"), data: emptied(story("ok").data), arguments: {}, details: undefined }
      expect(draw(tool, empty)).toContain('data-phase="ok"')
    })

    test("data and arguments of any shape are drawn, and never as markup", () => {
      const known = [story("ok").data, args].flatMap((value) => Object.keys((value as object) ?? {}))
      const key = fc.oneof(fc.constantFrom("path", "todos", "hunks", "lines", "files", ...known), fc.string())
      const { value } = fc.letrec((tie) => ({
        value: fc.oneof(
          { maxDepth: 3 },
          fc.constantFrom(null, 0, -1, 1e21, true, "", "text", '<img src=x onerror="x">', "\u202e\u0000", "\ud800"),
          fc.array(tie("value"), { maxLength: 3 }),
          fc.dictionary(key, tie("value"), { maxKeys: 6 }),
        ),
      }))
      fc.assert(
        fc.property(fc.constantFrom(...callPhases), value, value, value, (phase, data, given, details) => {
          const call = {
            id: "call_1",
            tool: tool.id,
            phase,
            data,
            arguments: given,
            details,
            output: JSON.stringify(data),
          }
          for (const shown of [draw(tool, call as CallView), drawPortal(tool, call as CallView)]) {
            expect(shown).not.toMatch(/<img(?! src="data:image\/(png|jpeg|gif|webp);)/)
            expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000]/)
          }
        }),
        { numRuns: 25 },
      )
    })
  },
)

test("no face asked the network", () => {
  expect(fetched).not.toHaveBeenCalled()
})

function draw(tool: FaceTool, call: CallView, locale: Locale = "en"): string {
  const answers = { onAnswer: () => undefined, onInteraction: () => undefined }
  return markup(createElement(CallCard, { call, tool, ...answers }), locale)
}

function drawPortal(tool: FaceTool, call: CallView, locale: Locale = "en"): string {
  return markup(createElement(CallPortal, { call, tool }), locale)
}

function markup(node: ReactNode, locale: Locale): string {
  return renderToStaticMarkup(createElement(LocaleContext, { value: locale }, node))
}

function bodyOf(shown: string): string {
  return /<div class="haft-call-body"[^>]*>(.*)<\/div><\/article>$/s.exec(shown)?.[1] ?? "no body"
}

function textOf(shown: string): string {
  return shown
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
}

function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&#x27;",
    '"': "&quot;",
  }
  return text.replace(/[&<>'"]/g, (mark) => marks[mark]!)
}

function firstWord(text: string): string {
  return /[\p{L}\p{N}_]+/u.exec(text)?.[0] ?? ""
}

/** The same shape with very long texts and lists. */
function lengthened(value: unknown): unknown {
  if (typeof value === "string") return `${value} ${"x".repeat(300_000)}\n${"line of text\n".repeat(5_000)}`
  if (Array.isArray(value)) return Array.from({ length: 3000 }, (_, index) => value[index % value.length] ?? "entry")
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, lengthened(entry)]))
}

function emptied(value: unknown): unknown {
  if (typeof value === "string") return ""
  if (Array.isArray(value)) return []
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, emptied(entry)]))
}
