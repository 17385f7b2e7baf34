import { ToolError } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { checkFiles, fileLimits } from "./check-files.js"

function refusal(files: Record<string, string>): ToolError {
  try {
    checkFiles(files)
  } catch (error) {
    if (ToolError.is(error)) return error
  }
  throw new Error("it was not refused")
}

test("relative paths land in the work folder, absolute ones where they say", () => {
  const placed = checkFiles({ "a.py": "1", "./b//c.py": "2", "/sandbox/script.py": "3", "/work/d": "4" })
  expect(placed.map(({ path }) => path)).toEqual(["work/a.py", "work/b/c.py", "sandbox/script.py", "work/d"])
  expect(new TextDecoder().decode(placed[2]!.content)).toBe("3")
})

describe("is refused before a machine starts:", () => {
  test.each([
    ["a way up", "../x"],
    ["a way up inside", "a/../../x"],
    ["an absolute way up", "/work/../etc/passwd"],
    ["a NUL", "a\0b"],
    ["a line break", "a\nb"],
    ["half a character", "a\ud800"],
    ["nothing", ""],
    ["the root", "/"],
    ["a folder", "a/"],
    ["a dot", "."],
    ["the tree of processes", "/proc/1/mem"],
    ["the tree of the kernel", "/sys/kernel/x"],
    ["a device", "/dev/vda"],
    ["a device in another spelling", "//dev/./vda"],
    ["the command itself", "/run/box/command"],
    ["the machine's own tools", "/run/.unpack/busybox"],
    ["a name that is too long", "x".repeat(fileLimits.nameBytes + 1)],
    ["a path that is too long", `${"xxxxxxx".repeat(30)}/`.repeat(6).concat("y")],
    ["a path that is too deep", "x/".repeat(fileLimits.depth).concat("y")],
  ])("%s", (_, path) => {
    const { code, details } = refusal({ [path]: "" })
    expect({ code, details }).toMatchObject({
      code: "invalid_args",
      details: { reason: "BOX_FILES_REFUSED", ran: false },
    })
  })

  test("two keys for one file", () => {
    expect(refusal({ a: "1", "./a": "2" }).message).toContain("another key names the same file")
    expect(refusal({ a: "1", "/work/a": "2" }).message).toContain("another key names the same file")
  })

  test("a file in the place of a folder", () => {
    expect(refusal({ "a/b/c": "1", "a/b": "2" }).message).toContain("is a file")
  })

  test("too many files and too many bytes", () => {
    const many = Object.fromEntries(Array.from({ length: fileLimits.count + 1 }, (_, index) => [`f${index}`, ""]))
    expect(refusal(many).message).toContain(`${fileLimits.count}`)
    expect(refusal({ a: "é".repeat(fileLimits.totalBytes / 2), b: "x" }).message).toContain("bytes together")
  })
})

test("whatever the keys are, a placed file never leaves the open part of the guest", () => {
  const piece = fc.constantFrom("..", ".", "", "/", "a", "dev", "proc", "run", "box", "\0", "é", "work")
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      let placed: readonly { path: string }[]
      try {
        placed = checkFiles({ [pieces.join("/")]: "" })
      } catch (error) {
        expect(ToolError.is(error)).toBe(true)
        return
      }
      for (const { path } of placed) {
        expect(path.split("/").every((part) => part !== "" && part !== "." && part !== "..")).toBe(true)
        expect(path).not.toMatch(/^(proc|sys|dev|run\/box)(\/|$)/)
      }
    }),
    { numRuns: 500 },
  )
})
