import { dialectNamed } from "@haft/dialects"
import { afterEach, expect, test } from "vitest"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld | undefined
afterEach(() => world?.remove())

// Names of ours that are no English words, so that a prompt of another system has no reason to hold them.
const ownNames = /\b(?:find_files|tool_search|job_start|read_text|index_search|http_request)\b/

test.each([
  ["asyar", (name: string) => name.replace(":", "__")],
  ["claw", (name: string) => name],
  ["a3s", (name: string) => name],
  ["lobe", (name: string) => name.split("____")[1]!],
] as const)("the prompt in %s names each tool as its models see it, and none of ours", async (dialect, seen) => {
  const files = {
    "AGENTS.md": "Project rule one.\n",
    ".agents/skills/s/SKILL.md": "---\nname: s\ndescription: D\n---\nT.\n",
  }
  world = await libraryWorld(files)
  const session = await (await world.haft({ workspace: { trusted: true } })).openSession()
  const { text } = await session.prompt({ dialect })
  expect(text).toContain("Project rule one.")
  const { tools } = (await dialectNamed(dialect))!
  for (const { name } of tools) expect(text).toMatch(new RegExp(`(?<![\\w-])${seen(name)}(?![\\w-])`))
  expect(text).not.toMatch(ownNames)
  // Skills are listed only for models that can load them, under the name of the tool that does.
  expect(text.includes("Skills, to be loaded with")).toBe(dialect === "claw")
  if (dialect === "claw") expect(text).toContain("Skills, to be loaded with Skill when")
  // Without a dialect it is ours, as before.
  expect((await session.prompt()).text).toMatch(ownNames)
})

test("similar tools are distinguished, and several things at once have their tool", async () => {
  world = await libraryWorld()
  const session = await (await world.haft()).openSession()
  const { text } = await session.prompt({ dialect: (await dialectNamed("lobe"))! })
  expect(text).toContain("call readLocalFiles once instead of readLocalFile several times")
  expect(text).toContain("call crawlMultiPages once instead of crawlSinglePage several times")
  expect(text).toContain("renameLocalFile gives one file another name in its folder; moveLocalFiles")
  expect(text.split("\n\n").map((part) => part.split(" ")[1])).toEqual([
    "lobe-local-system",
    "lobe-web-browsing",
    "lobe-calculator",
    "lobe-gtd",
  ])
  await expect(session.prompt({ dialect: "loeb" })).rejects.toMatchObject({ code: "invalid_args" })
})
