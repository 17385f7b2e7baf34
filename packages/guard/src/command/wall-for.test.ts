import { describe, expect, test } from "vitest"
import { judgeLine } from "../../test/command-world.js"
import { defaultsAnd, rule } from "../../test/world.js"
import { protectedWrites, wallFor } from "./wall-for.js"

const wallOf = async (
  line: string,
  grants: Partial<Parameters<typeof wallFor>[3]> = {},
  mode: Parameters<typeof wallFor>[2] = "ask",
) => {
  const { analysis, judgement } = await judgeLine(defaultsAnd(rule("flag", "allow", "bash")), line)
  return wallFor(analysis, judgement, mode, { hosts: [], ...grants })
}

describe("wallFor", () => {
  test.each([
    ["cat a", "look"],
    ["echo hi", "look"],
    ["git status | head", "look"],
    ["cd src && ls", "look"],
    ["touch a", "work"],
    ["cat a > b", "work"],
    ["npm test", "work"],
    ["python3 -c 1", "work"],
    ["git add .", "work"],
    ["nonesuch", "work"],
    ["cat a; nonesuch", "work"],
    ["cat a |", "work"],
  ])("%j runs behind %s", async (line, profile) => {
    expect(await wallOf(line)).toEqual({ profile, hosts: [], approved: [], unconfined: false })
  })

  test("hosts of the session are for what may write; what only reads has no network", async () => {
    expect(await wallOf("npm test", { hosts: ["127.0.0.1:80"] })).toMatchObject({
      profile: "work+net",
      hosts: ["127.0.0.1:80"],
    })
    expect(await wallOf("cat a", { hosts: ["127.0.0.1:80"] })).toMatchObject({ profile: "look", hosts: [] })
  })

  test("hosts that a line names are granted by a rule or by an answer", async () => {
    expect((await wallOf("curl https://x.test")).hosts).toEqual([])
    expect((await wallOf("curl https://x.test", { answered: true })).hosts).toEqual(["x.test:443"])
  })

  test("mode plan never writes and never leaves the sandbox", async () => {
    expect(await wallOf("npm test", { hosts: ["x"], unconfined: true, approved: ["/a"] }, "plan")).toEqual({
      profile: "look",
      hosts: [],
      approved: [],
      unconfined: false,
    })
  })

  test("approved names and an unconfined run are passed on", async () => {
    expect(await wallOf("git init", { approved: ["/home/me/app/.git/config"], unconfined: true })).toMatchObject({
      approved: ["/home/me/app/.git/config"],
      unconfined: true,
    })
  })
})

describe("protectedWrites", () => {
  test("names the files whose ask only a person may answer", async () => {
    const { parts, judgement } = await judgeLine(
      defaultsAnd(),
      "cat a; cp b .git/hooks/pre-commit; echo x > .npmrc; touch c",
    )
    expect(protectedWrites(parts, judgement)).toEqual([
      "/home/me/app/.git/hooks/pre-commit",
      "/home/me/app/.git/hooks/pre-commit/b",
      "/home/me/app/.npmrc",
    ])
  })

  test.each([
    ["mkdir -p .vscode && echo x > .vscode/settings.json", [".vscode/", ".vscode/settings.json"]],
    ["env mkdir .husky", [".husky/"]],
    ["cp a .idea/", [".idea/", ".idea/a"]],
    ["cp -r a .idea", [".idea/", ".idea/a"]],
    ["cp -r a .vscode", [".vscode", ".vscode/a"]],
    ["touch .vscode/", [".vscode"]],
  ])("of %j only what is written is named, and a folder alone where no more is", async (line, names) => {
    const { parts, judgement } = await judgeLine(defaultsAnd(), line)
    // Only the folder .idea is there.
    const isThere = (path: string) => /^\/home\/me\/app\/\.idea\/?$/.test(path)
    const located = parts.map((part) => ({
      ...part,
      effects: part.effects.map((effect) =>
        effect.kind === "net.fetch"
          ? effect
          : { ...effect, at: { ...effect.at, kind: isThere(effect.at.resolved) ? "directory" : "missing" } as const },
      ),
    }))
    expect(protectedWrites(located, judgement)).toEqual(names.map((name) => `/home/me/app/${name}`))
  })
})
