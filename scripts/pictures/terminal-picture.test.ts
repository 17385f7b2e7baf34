import { readFileSync } from "node:fs"
import { homedir, tmpdir, userInfo } from "node:os"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { terminalPicture } from "./terminal-picture.js"
import { terminalPictures } from "./terminal-scenes.js"

const root = resolve(import.meta.dirname, "../..")

test("the README's pictures of the terminal show what the command shows now; npm run screenshots renews them", async () => {
  const pictures = await terminalPictures(root)
  expect([...pictures.keys()]).toEqual(["prompt.svg", "explain.svg"])
  for (const [name, picture] of pictures) {
    expect(readFileSync(join(root, "docs/pictures", name), "utf8"), name).toBe(picture)
    for (const ofThisMachine of [homedir(), tmpdir(), userInfo().homedir, root])
      expect(picture).not.toContain(ofThisMachine)
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`(docs/pictures/${name})`)
  }
}, 120_000)

test("columns stay where they are, looks are kept, and text is not markup", () => {
  const picture = terminalPicture("a  \u001b[1mb\u001b[22m\r\n\u001b[32m+<i>\u001b[39m\r\n")
  expect(picture).toContain('<text x="16" y="31" textLength="8.4">a</text>')
  expect(picture).toContain('<text x="41.2" y="31" textLength="8.4" class="bold">b</text>')
  expect(picture).toContain('<text x="16" y="51" textLength="33.6" class="green">+&lt;i&gt;</text>')
})

test("what it cannot draw is refused, not drawn wrong", () => {
  expect(() => terminalPicture("\u001b[45mx")).toThrow('the style "45"')
  expect(() => terminalPicture("a\u001b[2Ab")).toThrow("moves no cursor")
  expect(() => terminalPicture("10 %\r20 %")).toThrow("moves no cursor")
})
