import { existsSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { libraryWorld } from "./library-world.js"
import { areHere, dataOf, sandboxIsHere, shellWorld, until } from "./shell-world.js"

let granted: Server
let other: Server
const visits: string[] = []

beforeAll(async () => {
  granted = await serve("granted", (path) => path === "/away" && `http://127.0.0.1:${portOf(other)}/`)
  other = await serve("other")
})
afterAll(() => {
  for (const server of [granted, other]) server.close()
})

describe.skipIf(!sandboxIsHere || !areHere("curl", "python3"))("the network of a command", () => {
  test("[C2-82] [C2-87] is none: a server of this machine is not reached, by address or by name", async () => {
    await using world = await shellWorld({}, { rules: [{ permission: "bash", action: "allow" }] })
    for (const host of ["127.0.0.1", "localhost"]) {
      const command = `python3 -c "import socket; socket.create_connection(('${host}', ${portOf(granted)}), 3)"`
      const { exit_code, isolation, stderr } = dataOf(await world.session.call("bash", { command }))
      expect({ exit_code, network: isolation.network }).toEqual({ exit_code: 1, network: "none" })
      expect(stderr).toMatch(/refused|unreachable/i)
    }
    expect(visits).toEqual([])
  })

  test("[C2-88] a loopback server is not reached by agreeing to the command alone", async () => {
    await using world = await shellWorld()
    const { stdout } = await world.run(`curl -sS -m 5 http://127.0.0.1:${portOf(other)}/`)
    expect(stdout).not.toContain("other was here")
    expect(visits).toEqual([])
  })

  test("[C2-87] [C2-88] with a grant it reaches that host and port and nothing else", async () => {
    await using world = await shellWorld({}, { network: { grants: [`127.0.0.1:${portOf(granted)}`] } })
    expect((await world.run(`curl -sS -m 5 http://127.0.0.1:${portOf(granted)}/`)).stdout).toBe("granted was here")
    visits.length = 0
    for (const line of [
      `curl -sS -m 5 http://127.0.0.1:${portOf(other)}/`,
      `curl -sS -m 5 -L http://127.0.0.1:${portOf(granted)}/away`,
      `curl -sS -m 5 http://localhost:${portOf(other)}/`,
      `curl -sS -m 5 http://2130706433:${portOf(other)}/`,
      `curl -sS -m 5 --noproxy '*' http://127.0.0.1:${portOf(other)}/`,
      `curl -sS -m 5 --noproxy '*' http://127.0.0.1:${portOf(granted)}/past-the-proxy`,
      "curl -sS -m 5 http://169.254.169.254/",
    ])
      expect((await world.run(line)).stdout).not.toContain("other was here")
    expect(visits).toEqual(["granted /away"])
  })

  test("a refused destination is named", async () => {
    await using world = await shellWorld({}, { network: { grants: [`127.0.0.1:${portOf(granted)}`] } })
    const { stdout } = await world.run(`curl -sS -m 5 http://127.0.0.1:${portOf(other)}/`)
    expect(stdout).toContain(
      `Haft refused the connection to 127.0.0.1 port ${portOf(other)}: 127.0.0.1 is not a public address`,
    )
    expect(stdout).not.toContain("--grant-net")
  })

  test("a refusal that a client of https does not show is said by the result", async () => {
    await using world = await shellWorld({}, { network: { grants: [`127.0.0.1:${portOf(granted)}`] } })
    const { stdout, stderr, refused } = await world.run(`curl -sS -m 5 https://127.0.0.1:${portOf(other)}/`)
    expect(stdout + stderr).not.toContain("--grant-net")
    expect(refused).toEqual([`127.0.0.1:${portOf(other)}: 127.0.0.1 is not a public address`])
  })

  test("a clone from where it may not go says what would allow it", async () => {
    await using world = await shellWorld({}, { network: { grants: [`127.0.0.1:${portOf(granted)}`] } })
    const url = `https://127.0.0.1:${portOf(other)}/a.git`
    const { metadata } = await world.session.call("repo_clone", { url }, { answer: "once" })
    expect(metadata.hint).not.toContain("--")
    expect(metadata.details).toMatchObject({ fix: expect.stringContaining(`--grant-net 127.0.0.1:${portOf(other)}`) })
    await using plain = await shellWorld()
    const alone = await plain.session.call("repo_clone", { url }, { answer: "once" })
    expect(alone.metadata.hint).not.toContain("--")
    expect(alone.metadata.details).toMatchObject({
      fix: expect.stringContaining(`--grant-net 127.0.0.1:${portOf(other)}`),
    })
  })

  test("[C2-88] one grant gives a command and a tool the same answer for every destination", async () => {
    await using world = await shellWorld({}, { network: { grants: [`127.0.0.1:${portOf(granted)}`] } })
    const once = { answer: "once" } as const
    const places = ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "127.0.0.2"]
    const urls = [granted, other].flatMap((server) => places.map((host) => `http://${host}:${portOf(server)}/`))
    const reached: string[] = []
    for (const url of [...urls, "http://169.254.169.254/", `http://127.0.0.1:${portOf(granted)}/away`]) {
      const told = await world.session.call("web_fetch", { url }, once)
      const byTool = JSON.stringify(told).includes("was here")
      const { stdout } = await world.run(`curl -sS -L -m 5 '${url}'`)
      expect({ url, reached: stdout.includes("was here") }).toEqual({ url, reached: byTool })
      if (byTool) reached.push(url)
    }
    expect(reached).toContain(`http://127.0.0.1:${portOf(granted)}/`)
    expect(reached.filter((url) => url.includes(`:${portOf(other)}`))).toEqual([])
  })

  test("of a job is journaled with the call that started it, also what comes after that call", async () => {
    const world = await libraryWorld({})
    const haft = await world.haft({ toolset: "all", network: { grants: [`127.0.0.1:${portOf(granted)}`] } })
    const session = await haft.openSession()
    const fetch = (port: number) => `curl -sS -m 5 http://127.0.0.1:${port}/; `
    const command = `while [ ! -e go ]; do sleep 0.02; done; ${fetch(portOf(granted))}${fetch(portOf(other))}touch done`
    await session.call("job_start", { command }, { answer: "once" })
    writeFileSync(world.path("go"), "")
    await until(() => existsSync(world.path("done")))
    await session.close()
    const calls = await (await haft.store()).calls(session.id)
    expect(calls.map(({ tool, effects }) => ({ tool, effects }))).toEqual([
      {
        tool: "job_start",
        effects: [
          { kind: "net.fetch", host: "127.0.0.1", port: portOf(granted) },
          {
            kind: "net.fetch",
            host: "127.0.0.1",
            port: portOf(other),
            refused: expect.stringContaining("--grant-net"),
          },
        ],
      },
    ])
    expect(await (await haft.store()).verify(session.id)).toMatchObject({ ok: true, parts: expect.any(Number) })
    await world.remove()
  })
})

async function serve(name: string, leadsTo: (path: string) => string | false = () => false): Promise<Server> {
  const server = createServer(({ url = "" }, response) => {
    visits.push(`${name} ${url}`)
    const location = leadsTo(url)
    response.writeHead(location ? 302 : 200, location ? { location } : {}).end(`${name} was here`)
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
