import type { Effect, FileEffectKind, Located, Mode, RequirementSet } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { at, errorOf, variables as plainVariables } from "../../test/world.js"
import type { Variables } from "../variables.js"
import { checkCapability, matchesShell } from "./check-capability.js"
import { compileRequirements, unionRequirements } from "./scope.js"

const everything: RequirementSet = {
  fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**", "{ad-hoc}/**"] },
}

interface Request {
  readonly tool?: RequirementSet
  readonly granted?: RequirementSet
  readonly parent?: RequirementSet
  readonly mode?: Mode
  readonly variables?: Variables
}

function check(effect: Effect, request: Request = {}) {
  const variables = request.variables ?? plainVariables
  const { tool = everything, granted = everything, parent, mode = "ask" } = request
  return checkCapability({
    tool: compileRequirements(tool, variables),
    granted: compileRequirements(granted, variables),
    ...(parent ? { parent: compileRequirements(parent, variables) } : {}),
    effects: [effect],
    mode,
    variables,
  })
}

const file = (kind: FileEffectKind, located: Located | string): Effect => ({
  kind,
  at: typeof located === "string" ? at(located) : located,
})

describe("files", () => {
  test.each(["a", "a/b/c", "/home/me/app", "."])("what is in the workspace passes: %s", (path) => {
    expect(check(file("fs.read", path)).verdict).toBe("pass")
    expect(check(file("fs.write", path)).verdict).toBe("pass")
    expect(check(file("fs.delete", path)).verdict).toBe("pass")
  })

  test.each(["/home/me/apple/a", "/home/me", "/", "/etc/passwd", "/home/me/other/a"])(
    "what is outside is refused, compared by parts: %s",
    (path) => {
      const verdict = check(file("fs.read", path))
      expect(verdict).toMatchObject({ verdict: "deny", reason: `"${path}" is outside the folders of this session` })
      expect(verdict.hint).toContain("/home/me/app/**")
      expect(verdict.hint).not.toContain("--root")
      expect(verdict.fix).toContain("--root DIR")
    },
  )

  test("a link out of the workspace is named as one", () => {
    expect(check(file("fs.read", at("innocent", "/etc/passwd"))).reason).toBe(
      '"innocent" is a link to "/etc/passwd", outside the folders of this session',
    )
    expect(check(file("fs.read", at("inner", "/home/me/app/other"))).verdict).toBe("pass")
  })

  test.each([
    ["/proc/self/environ", "is an interface of the system"],
    ["/sys/kernel", "is an interface of the system"],
    ["/dev/sda", "is an interface of the system"],
    ["/home/me/.local/share/haft/journal.db", "belongs to Haft itself"],
    ["/home/me/.local/share/HAFT/journal.db", "belongs to Haft itself"],
    ["/home/me/.config/haft/config.jsonc", "belongs to Haft itself"],
    ["/home/me/.ssh/id_rsa", "is where programs keep credentials"],
    ["/home/me/.config/gh/hosts.yml", "is where programs keep credentials"],
    ["/home/me/.npmrc", "is where programs keep credentials"],
  ])("a wide root does not reach the floor: %s", (path, reason) => {
    const variables = { ...plainVariables, workspace: ["/"] }
    expect(check(file("fs.read", path), { variables })).toMatchObject({ verdict: "deny" })
    expect(check(file("fs.read", path), { variables }).reason).toContain(reason)
    expect(check(file("fs.write", at("/home/me/x", path)), { variables }).verdict).toBe("deny")
    expect(check(file("fs.read", "/home/me/project/a"), { variables }).verdict).toBe("pass")
  })

  test("a narrow root inside a folder of settings is reached", () => {
    const variables = { ...plainVariables, workspace: ["/home/me/.config/nvim"] }
    expect(check(file("fs.read", "/home/me/.config/nvim/init.lua"), { variables }).verdict).toBe("pass")
  })

  test.each([
    ["a NUL byte", at("a\0b")],
    ["a device, pipe or socket", { ...at("fifo"), kind: "other" } as const],
    ["a path that is not absolute", { ...at("a"), absolute: "a", resolved: "a" }],
    ["a path that goes up", { ...at("a"), resolved: "/home/me/app/../x" }],
    ["an empty path", { ...at("a"), absolute: "", resolved: "" }],
    ["a doubled slash", { ...at("a"), resolved: "/home/me/app//a" }],
  ])("%s is refused", (_name, located) => {
    expect(check(file("fs.read", located)).verdict).toBe("deny")
  })

  test("[C2-47] sidecars can be read and scratch written, whatever a tool declared", () => {
    const request = { tool: {}, granted: {} }
    const sidecar = `${plainVariables.sidecars[0]}/call_1.txt`
    const scratch = `${plainVariables.scratch[0]}/a`
    expect(check(file("fs.read", sidecar), request).verdict).toBe("pass")
    expect(check(file("fs.write", sidecar), request).verdict).toBe("deny")
    expect(check(file("fs.read", scratch), request).verdict).toBe("pass")
    expect(check(file("fs.write", scratch), request).verdict).toBe("pass")
    expect(check(file("fs.read", "/home/me/.local/share/haft/sessions/s2/sidecars/x"), request).verdict).toBe("deny")
  })

  test("mode plan writes only the plan file and scratch", () => {
    const variables = { ...plainVariables, planFile: "/home/me/app/PLAN.md" }
    const request = { mode: "plan", variables } as const
    expect(check(file("fs.write", "PLAN.md"), request).verdict).toBe("pass")
    expect(check(file("fs.write", `${variables.scratch[0]}/a`), request).verdict).toBe("pass")
    expect(check(file("fs.read", "src/a"), request).verdict).toBe("pass")
    expect(check(file("fs.delete", "src/a"), request).verdict).toBe("deny")
    expect(check(file("fs.write", "src/a"), request).reason).toContain("mode plan")
    expect(check(file("fs.write", "PLAN.md"), { mode: "plan" }).verdict).toBe("deny")
  })

  test("tool, grant and parent must all contain the effect", () => {
    const narrow: RequirementSet = { fs: { read: ["{workspace}/src/**"] } }
    const effect = file("fs.read", "lib/a")
    expect(check(effect, { tool: narrow }).reason).toContain("what this tool can reach")
    expect(check(effect, { granted: narrow }).reason).toContain("what this session was granted")
    expect(check(effect, { parent: narrow }).reason).toContain("what the parent may hand on")
    expect(check(file("fs.read", "src/a"), { tool: narrow, granted: narrow, parent: narrow }).verdict).toBe("pass")
    expect(check(file("fs.write", "src/a"), { tool: narrow }).verdict).toBe("deny")
  })

  test("no path outside of all roots passes, whatever it is made of", () => {
    const part = fc.oneof(
      fc.constantFrom("home", "me", "app", "apple", ".", "..", "", "proc", "\0"),
      fc.string({ maxLength: 3 }),
    )
    // Mostly at or near the root: what differs in one letter or one step is what a wrong comparison lets through.
    const near = fc.constantFrom(
      "home/me/app",
      "home/me/apple",
      "home/me/ap",
      "home/me/App",
      "home/me",
      "home//me/app",
      "",
    )
    const path = fc.tuple(near, fc.array(part, { maxLength: 3 })).map(([start, more]) => [...start.split("/"), ...more])
    let passed = 0
    let nearMisses = 0
    fc.assert(
      fc.property(path, path, (spelled, resolved) => {
        const located: Located = {
          spelled: spelled.join("/"),
          absolute: `/${spelled.join("/")}`,
          resolved: `/${resolved.join("/")}`,
          kind: "file",
        }
        if (check({ kind: "fs.read", at: located }).verdict !== "pass") {
          if (located.resolved.startsWith("/home/me/app")) nearMisses += 1
          return
        }
        passed += 1
        const [first, second, third] = located.resolved.slice(1).split("/")
        expect([first, second, third]).toEqual(["home", "me", "app"])
        expect(located.resolved).not.toMatch(/\/\.{0,2}(\/|$)|\0/)
      }),
      { numRuns: 2000 },
    )
    expect(passed).toBeGreaterThan(50)
    expect(nearMisses).toBeGreaterThan(50)
  })
})

describe("variables", () => {
  test("[C2-49] the three of a manifest are expanded, a bare one means the whole folder", () => {
    const variables = {
      ...plainVariables,
      workspace: ["/a", "/b"],
      adHoc: ["/c"],
      userData: "/home/me/.local/share/haft/data/x",
    }
    const request = {
      tool: { fs: { read: ["{workspace}", "{ad-hoc}/*.md", "{user-data}/**"] } },
      granted: { fs: { read: ["/**"] } },
      variables,
    }
    expect(check(file("fs.read", "/a/x/y"), request).verdict).toBe("pass")
    expect(check(file("fs.read", "/b"), request).verdict).toBe("pass")
    expect(check(file("fs.read", "/c/n.md"), request).verdict).toBe("pass")
    expect(check(file("fs.read", "/c/n.txt"), request).verdict).toBe("deny")
    expect(check(file("fs.read", "/home/me/.local/share/haft/data/x/db"), request).verdict).toBe("pass")
    expect(check(file("fs.read", "/home/me/.local/share/haft/data/y/db"), request).verdict).toBe("deny")
  })

  test("[C2-50] an empty variable gives an empty scope, and the call fails closed", () => {
    const variables = { ...plainVariables, workspace: [] }
    expect(compileRequirements(everything, variables).read.places).toEqual([])
    expect(check(file("fs.read", "/home/me/app/a"), { variables })).toMatchObject({
      verdict: "deny",
      hint: "Nothing may be read here",
    })
    expect(check(file("fs.read", "/"), { variables }).verdict).toBe("deny")
  })

  test.each(["{nope}/**", "{haft-home}/**", "{}/x", "{constructor}"])(
    "[C2-51] %s throws when it is compiled",
    (pattern) => {
      const error = errorOf(() => compileRequirements({ fs: { read: [pattern] } }, plainVariables))
      expect(error.message).toContain("there is no variable")
      expect(error.message).toContain("{workspace}, {ad-hoc}, {user-data}")
    },
  )
})

describe("hosts and commands", () => {
  const net: RequirementSet = { net: { hosts: ["*.x.test", "y.test:443"] } }
  const fetch = (host: string, port?: number): Effect =>
    port === undefined ? { kind: "net.fetch", host } : { kind: "net.fetch", host, port }

  test("a host must be declared and granted", () => {
    const request = { tool: net, granted: net }
    expect(check(fetch("a.x.test"), request).verdict).toBe("pass")
    expect(check(fetch("y.test", 443), request).verdict).toBe("pass")
    expect(check(fetch("y.test"), request).verdict).toBe("deny")
    expect(check(fetch("x.test"), request).reason).toBe('the host "x.test" is outside what this tool can reach')
    expect(check(fetch("a.x.test"), { tool: net, granted: {} }).reason).toContain("what this session was granted")
  })

  test.each([
    [["git"], true],
    [["git", "status", "-s"], true],
    [["/usr/bin/git"], false],
    [["npm", "run", "test", "--prefix=a"], true],
    [["npm", "run", "test"], false],
    [["npm", "run", "test", "x"], false],
    [["npm", "run", "test", "--prefix=a", "more"], false],
    [["npm", "exec", "test", "--prefix=a"], false],
    [["make"], true],
    [["make", "all"], false],
    [[], false],
  ])("[C2-52] %j against exact words, any word and beginnings: %s", (argv, expected) => {
    const shell = [
      { cmd: "git" },
      { cmd: "npm", args: ["run", { wildcard: true }, { prefix: "--prefix=" }] },
      { cmd: "make", args: [] },
    ] as const
    expect(matchesShell(shell, argv)).toBe(expected)
    const scope = compileRequirements({ shell }, plainVariables)
    const request = { tool: scope, granted: scope, effects: [], mode: "ask", variables: plainVariables } as const
    expect(checkCapability({ ...request, commands: [argv] }).verdict).toBe(expected ? "pass" : "deny")
  })
})

describe("unionRequirements", () => {
  test("adding a tool extends what an agent declares, with no edit of its manifest", () => {
    const agent: RequirementSet = { fs: { read: ["{workspace}/**"] }, shell: [{ cmd: "git" }] }
    const tool: RequirementSet = {
      fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**"] },
      net: { hosts: ["x.test"] },
      shell: [{ cmd: "git" }, { cmd: "npm", args: ["test"] }],
      capabilities: ["lsp"],
    }
    expect(unionRequirements([agent, tool, {}])).toEqual({
      fs: { read: ["{workspace}/**", "{ad-hoc}/**"], write: ["{workspace}/**"] },
      net: { hosts: ["x.test"] },
      shell: [{ cmd: "git" }, { cmd: "npm", args: ["test"] }],
      capabilities: ["lsp"],
    })
  })

  test("of nothing is nothing", () => {
    expect(unionRequirements([])).toEqual({})
  })
})
