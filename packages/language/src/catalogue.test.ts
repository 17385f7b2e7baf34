import fc from "fast-check"
import { expect, test } from "vitest"
import { partsOf, sayFrom } from "./catalogue.js"

const say = sayFrom({
  'Cannot read "{path}": {reason}': '无法读取 "{path}"：{reason}',
  'Cannot {action} "{shown}": {reason}': '无法{action} "{shown}"：{reason}',
  'Cannot read "{path}": it has {size} bytes': '无法读取 "{path}"：它有 {size} 字节',
  "it is a directory": "它是文件夹",
  "{path} is a link to {target}": "{target} 是链接 {path} 的目标",
  "{name} in {file}": "{file} 中的 {name}",
  "Use {tool}": "使用 {tool}",
  "note: {text}": "提示：{text}",
  "it changes {named}": "它会更改 {named}",
  "no rule settles {describeSubject}": "没有规则确定 {describeSubject}",
  "did you mean {names}?": "是不是想用 {names}？",
  details: "详情",
  edit: "编辑",
  "write {{}} for nothing": "没有就写 {{}}",
  "not yet": "",
})

test("words with holes are found by the words alone", () => {
  expect(say`note: ${"it is a directory"}`).toBe("提示：it is a directory")
  expect(say`${"a"} in ${"b.ts"}`).toBe("b.ts 中的 a")
  expect(say`no such ${"words"}`).toBe("no such words")
})

test.each([
  ["it is a directory", "它是文件夹"],
  ['Cannot read "a.txt": it is a directory', '无法读取 "a.txt"：它是文件夹'],
  ['Cannot read "a.txt": it has 5 bytes', '无法读取 "a.txt"：它有 5 字节'],
  ['Cannot edit "a.txt": it is a directory', '无法编辑 "a.txt"：它是文件夹'],
  ['Cannot edit "a.txt": EIO', '无法编辑 "a.txt"：EIO'],
  ["it is a directory. Use ls", "它是文件夹。使用 ls"],
  ['note: Cannot read "a": it is a directory\n  1 | x', '提示：无法读取 "a"：它是文件夹\n  1 | x'],
  ['Cannot read "x. Use y": it is a directory', '无法读取 "x. Use y"：它是文件夹'],
  ["write {} for nothing", "没有就写 {}"],
])("%j is said as %j", (english, chinese) => {
  expect(say(english)).toBe(chinese)
})

test.each([
  ["not a word of ours"],
  ["not yet"],
  // The words between holes are in many sentences.
  ["something else in another place"],
  // What is in which hole cannot be told, and they would change places.
  ["a is a link to b is a link to c"],
])("%j stays English", (text) => {
  expect(say(text)).toBe(text)
})

test("values stay as they are, also where they are words of ours", () => {
  expect(say('Cannot read "it is a directory": details')).toBe('无法读取 "it is a directory"：details')
  expect(say('Cannot read "details": it has it is a directory bytes')).toContain('"details"')
})

test("what a call says is shown as it is, also where it looks like names or a text of ours", () => {
  expect(say('it changes "/etc/a or b", "/etc/c"')).toBe('它会更改 "/etc/a or b", "/etc/c"')
  expect(say("it changes it is a directory")).toBe("它会更改 it is a directory")
  expect(say('no rule settles "make and run"')).toBe('没有规则确定 "make and run"')
  expect(say("no rule settles it is a directory")).toBe("没有规则确定 it is a directory")
  expect(say('note: "a or b"')).toBe('提示："a or b"')
})

test("names are joined by the words of the language, which their own words are not", () => {
  expect(say("did you mean a or b?")).toBe("是不是想用 a 或 b？")
  expect(say('did you mean "a or b.ts", "c \\" and d" and e?')).toBe('是不是想用 "a or b.ts", "c \\" and d" 和 e？')
})

test("values that hold words of a pattern neither break nor reorder it", () => {
  const value = fc.string({
    unit: fc.constantFrom('"', ": ", "Cannot read ", "{path}", "}}", "\0", "it has ", " bytes", "a"),
  })
  let nested = 0
  fc.assert(
    fc.property(value, value, (path, reason) => {
      const said = say(`Cannot read "${path}": ${reason}`)
      expect(said.startsWith(`无法读取 "`)).toBe(true)
      if (path.includes('": ')) nested += 1
      // Every character of the values is still there, in its order.
      const kept = said
        .replaceAll("：", ": ")
        .replaceAll("无法读取", "Cannot read")
        .replaceAll("它有", "it has")
        .replaceAll("字节", "bytes")
      expect(kept.replace(/\s/g, "")).toBe(`Cannot read "${path}": ${reason}`.replace(/\s/g, ""))
    }),
  )
  expect(nested).toBeGreaterThan(0)
})

test("a text of any length takes time in proportion to it", () => {
  const text = `Cannot read "${'": '.repeat(3000)}`
  const started = performance.now()
  expect(say(text)).toContain('": ')
  expect(say("it has ".repeat(100_000))).toContain("it has")
  expect(performance.now() - started).toBeLessThan(5000)
})

test("a text is taken apart at its holes", () => {
  expect(partsOf("there is no variable {{{name}}}; {b}")).toEqual({
    words: ["there is no variable {", "}; ", ""],
    names: ["name", "b"],
  })
})
