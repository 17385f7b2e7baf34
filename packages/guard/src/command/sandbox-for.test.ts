import { describe, expect, test } from "vitest"
import { judgeLine } from "../../test/command-world.js"
import { defaultsAnd, rule } from "../../test/world.js"
import { protectedWrites, sandboxFor } from "./sandbox-for.js"

const sandboxOf = async (
  line: string,
  grants: Partial<Parameters<typeof sandboxFor>[3]> = {},
  mode: Parameters<typeof sandboxFor>[2] = "ask",
) => {
  const { analysis, judgement } = await judgeLine(defaultsAnd(rule("flag", "allow", "bash")), line)
  return sandboxFor(analysis, judgement, mode, { hosts: [], ...grants })
}

describe("sandboxFor", () => {
  test.each([
    ["cat a", "read-only"],
    ["echo hi", "read-only"],
    ["git status | head", "read-only"],
    ["cd src && ls", "read-only"],
    ["touch a", "workspace-write"],
    ["cat a > b", "workspace-write"],
    ["npm test", "workspace-write"],
    ["python3 -c 1", "workspace-write"],
    ["git add .", "workspace-write"],
    ["nonesuch", "workspace-write"],
    ["cat a; nonesuch", "workspace-write"],
    ["cat a |", "workspace-write"],
  ])("%j runs behind %s", async (line, profile) => {
    expect(await sandboxOf(line)).toEqual({ profile, hosts: [], approved: [], unconfined: false })
  })

  test("hosts of the session are for what may write; what only reads has no network", async () => {
    expect(await sandboxOf("npm test", { hosts: ["127.0.0.1:80"] })).toMatchObject({
      profile: "workspace-write+net",
      hosts: ["127.0.0.1:80"],
    })
    expect(await sandboxOf("cat a", { hosts: ["127.0.0.1:80"] })).toMatchObject({ profile: "read-only", hosts: [] })
  })

  test("hosts that a line names are granted by a rule or by an answer", async () => {
    expect((await sandboxOf("curl https://x.test")).hosts).toEqual([])
    expect((await sandboxOf("curl https://x.test", { answered: true })).hosts).toEqual(["x.test:443"])
  })

  test("mode plan never writes and never leaves the sandbox", async () => {
    expect(await sandboxOf("npm test", { hosts: ["x"], unconfined: true, approved: ["/a"] }, "plan")).toEqual({
      profile: "read-only",
      hosts: [],
      approved: [],
      unconfined: false,
    })
  })

  test("approved names and an unconfined run are passed on", async () => {
    expect(await sandboxOf("git init", { approved: ["/home/me/app/.git/config"], unconfined: true })).toMatchObject({
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
