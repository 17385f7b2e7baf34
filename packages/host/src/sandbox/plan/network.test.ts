import { createServer as createHttpServer } from "node:http"
import { type AddressInfo, createServer, type Server } from "node:net"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Decision } from "../../proxy/decision.js"
import { backendsHere, isInstalled } from "../testing/installed.js"
import { makeSandboxBench, type SandboxBench } from "../testing/sandbox-bench.js"

const listen = (server: Server) =>
  new Promise<number>((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)))

describe.skipIf(!isInstalled("curl")).each(backendsHere)("the network behind %s", (backend) => {
  const big = Buffer.alloc(3_000_000, "x")
  const granted = createHttpServer((request, response) => {
    if (request.url === "/big") response.end(big)
    else if (request.method === "POST") request.pipe(response)
    else response.end(`hello ${request.headers.host}`)
  })
  const forbidden = createHttpServer((_request, response) => response.end("secret"))
  const echo = createServer((socket) => socket.pipe(socket))
  let ports: readonly number[]
  let bench: SandboxBench
  const decisions: Decision[] = []
  const withNet = {
    sandbox: { profile: "workspace-write+net" },
    onDecision: (one: Decision) => decisions.push(one),
  } as const

  beforeAll(async () => {
    ports = await Promise.all([listen(granted), listen(forbidden), listen(echo)])
    bench = await makeSandboxBench({
      backend,
      netGrants: [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[2]}`],
      ownPorts: () => [],
    })
  })
  afterAll(async () => {
    await bench.close()
    for (const server of [granted, forbidden, echo]) server.close()
  })

  test("[C2-87] a granted server is reached, everything else is refused before a byte is sent", async () => {
    const { stdout, sandbox } = await bench.run(
      `curl -sS http://127.0.0.1:${ports[0]}/; echo; curl -sS http://127.0.0.1:${ports[1]}/; curl -sS -o /dev/null -w '%{http_code}' https://example.org/ 2>&1`,
      withNet,
    )
    expect(sandbox.isolation.network).toBe("proxy")
    expect(stdout).toContain(`hello 127.0.0.1:${ports[0]}`)
    expect(stdout).not.toContain("secret")
    expect(stdout).toContain(`Haft refused the connection to 127.0.0.1 port ${ports[1]}`)
    // A step for the user is none for a model that reads what a command prints.
    expect(stdout).not.toContain("--grant-net")
    expect(stdout).toContain("403")
    expect(decisions).toContainEqual({ host: "127.0.0.1", port: ports[0], allowed: true, reason: "named by the user" })
    const outside = decisions.find(({ host }) => host === "example.org")
    expect(outside).toMatchObject({ allowed: false, port: 443 })
    expect(outside?.fix).toContain("--allow 'net.fetch(example.org)'")
  })

  test("[C2-88] past the proxy there is nothing: no route, no name, no other port of the grant", async () => {
    const { stdout } = await bench.run(
      `curl -s --noproxy '*' http://127.0.0.1:${ports[0]}/; (exec 9<>/dev/tcp/127.0.0.1/${ports[0]}) 2>/dev/null && echo direct; getent hosts example.org; echo end`,
      withNet,
    )
    expect(stdout).toBe("end\n")
  })

  test("large answers and uploads, many at a time, arrive whole", async () => {
    const { stdout, stderr } = await bench.run(
      `for i in 1 2 3 4 5 6; do curl -sS http://127.0.0.1:${ports[0]}/big | cksum & done; wait; head -c 2000000 /dev/zero | curl -sS --data-binary @- http://127.0.0.1:${ports[0]}/ | wc -c`,
      withNet,
    )
    const sums = stdout.trim().split("\n")
    expect(stderr).toBe("")
    expect(new Set(sums.slice(0, 6)).size).toBe(1)
    expect(sums[0]).toMatch(/ 3000000$/)
    expect(sums[6]).toBe("2000000")
  })

  test("SOCKS5 reaches the same and refuses the same", async () => {
    const { stdout } = await bench.run(
      `curl -sS --proxy socks5h://127.0.0.1:3128 http://127.0.0.1:${ports[0]}/; curl -s --proxy socks5h://127.0.0.1:3128 http://127.0.0.1:${ports[1]}/; echo " $?"`,
      withNet,
    )
    expect(stdout).toBe(`hello 127.0.0.1:${ports[0]} 97\n`)
  })

  test("CONNECT carries what is no web page", async () => {
    const { stdout } = await bench.run(
      `exec 9<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT 127.0.0.1:${ports[2]} HTTP/1.1\\r\\n\\r\\nping\\n' >&9; head -n 3 <&9`,
      withNet,
    )
    expect(stdout).toContain("200 Connection established")
    expect(stdout).toContain("ping")
  })

  test("servers that a command starts itself are reached directly when no grant is for this machine", async () => {
    const own = await makeSandboxBench({ backend })
    const { stdout } = await own.run("env | grep -i no_proxy | sort", {
      sandbox: { profile: "workspace-write+net", hosts: ["example.org"] },
    })
    expect(stdout).toBe("NO_PROXY=localhost,127.0.0.1,::1\nno_proxy=localhost,127.0.0.1,::1\n")
    await own.close()
  })

  test("without a grant there is no relay, and the command is told nothing of a proxy", async () => {
    const { stdout, sandbox } = await bench.run(
      "env | grep -ic proxy; (exec 9<>/dev/tcp/127.0.0.1/3128) 2>/dev/null && echo relay",
    )
    expect(stdout).toBe("0\n")
    expect(sandbox.isolation.network).toBe("none")
  })
})
