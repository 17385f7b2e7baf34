import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { PasteFilter } from "./key-burst.js"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate"] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** What comes through as pasted and as typed, of pieces with pauses between them. */
async function passed(...pieces: readonly (string | number)[]) {
  let [pasted, typed] = ["", ""]
  const filter = new PasteFilter(
    (text) => {
      typed += text
    },
    (lines) => {
      pasted += lines
    },
  )
  for (const piece of pieces) {
    if (typeof piece === "number") await vi.advanceTimersByTimeAsync(piece)
    else filter.add(piece)
  }
  filter.stop()
  return { pasted, typed }
}

const start = "\u001b[200~"
const end = "\u001b[201~"

describe("a paste over a slow line", () => {
  test.each([120, 1500])("keeps a line break whose halves come %i ms apart", async (ms) => {
    expect(await passed(`${start}a\r`, ms, "\nb", end, "\r")).toEqual({ pasted: "a\nb", typed: "\r" })
    expect(await passed(`${start}a\r`, ms, "\n", ms, `b${end}`)).toEqual({ pasted: "a\nb", typed: "" })
  })

  test.each([120, 1500])("ends with a marker whose halves come %i ms apart", async (ms) => {
    expect(await passed(`${start}a\u001b[20`, ms, "1~\r")).toEqual({ pasted: "a", typed: "\r" })
  })

  test("begins with a marker whose halves come 120 ms apart", async () => {
    expect(await passed("\u001b[20", 120, `0~a\rb${end}`)).toEqual({ pasted: "a\nb", typed: "" })
  })

  test("goes on after a long pause", async () => {
    expect(await passed(`${start}a\r`, 1500, `b\rc\r${end}`)).toEqual({ pasted: "a\nb\nc\n", typed: "" })
  })
})

describe("a paste that the terminal never ends", () => {
  test.each([0, 1500])("is over with Ctrl-C, also %i ms later", async (ms) => {
    expect(await passed(`${start}a`, ms, "\u0003", "b\r")).toEqual({ pasted: "a", typed: "\u0003b\r" })
  })

  test("is over with Enter after a second", async () => {
    expect(await passed(`${start}a`, 500, "\r", 1500, "\r", "b\r")).toEqual({ pasted: "a\n", typed: "\rb\r" })
  })
})

test("Ctrl-C within a piece of pasted text is no key", async () => {
  expect(await passed(`${start}a`, "b\u0003c", end)).toEqual({ pasted: "ab c", typed: "" })
})

test("Esc alone is typed after a moment", async () => {
  expect(await passed("\u001b", 60)).toEqual({ pasted: "", typed: "\u001b" })
})
