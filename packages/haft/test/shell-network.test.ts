import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { areHere, dataOf, shellWorld, wallIsHere } from "./shell-world.js"

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

describe.skipIf(!wallIsHere || !areHere("curl", "python3"))("the network of a command", () => {
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
    await using world = await shellWorld({}, { netGrants: [`127.0.0.1:${portOf(granted)}`] })
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

  test("a refused destination is named with the grant that would allow it", async () => {
    await using world = await shellWorld({}, { netGrants: [`127.0.0.1:${portOf(granted)}`] })
    const { stdout } = await world.run(`curl -sS -m 5 http://127.0.0.1:${portOf(other)}/`)
    expect(stdout).toContain(`--grant-net 127.0.0.1:${portOf(other)}`)
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
