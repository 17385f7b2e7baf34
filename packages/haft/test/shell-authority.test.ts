import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { createServer as createHttpServer } from "node:http"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { catalog } from "@haft/tools"
import { describe, expect, test } from "vitest"
import { areHere, dataOf, running, sandboxIsHere, shellWorld, until } from "./shell-world.js"

const agreed = { answer: "once" } as const

test("[C2-79] one argument that the schema does not know keeps any tool from starting", async () => {
  await using world = await shellWorld()
  for (const tool of catalog) {
    // The one tool that takes any object.
    if (tool.manifest.id === "structured_output") continue
    const { examples } = await tool.examples()
    const good = examples.find(({ fails }) => fails !== "invalid_args")
    const call: [string, unknown] = [tool.manifest.id, { ...good?.input, "no such argument": 1 }]
    const { metadata, type } = await world.session.call(...call, agreed)
    expect([call[0], good !== undefined, type, metadata.error_code]).toEqual([call[0], true, "error", "invalid_args"])
  }
})

test("[C2-74] [C2-79] a grant for files starts no process, and one for processes opens no file to the file tools", async () => {
  await using world = await shellWorld({ "a.txt": "alpha\n" })
  const files = await world.open({ guard: { grant: { fs: { read: ["{workspace}/**"] } } } })
  expect((await files.call("read", { file_path: "a.txt" })).type).toBe("output")
  expect((await files.call("bash", { command: "cat a.txt" }, agreed)).metadata.error_code).toBe("denied")
  const commands = await world.open({ guard: { grant: { shell: [{ cmd: "*" }] } } })
  expect((await commands.call("read", { file_path: "a.txt" }, agreed)).metadata.error_code).toBe("denied")
})

test("[C2-74] [C2-76] hosts, capabilities, files and processes are four ways, and a grant for one opens no other", async () => {
  const server = createHttpServer((_, answer) => answer.end("reached")).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  await using world = await shellWorld({ "a.txt": "alpha\n" })
  const ways = {
    net: ["web_fetch", { url: `http://127.0.0.1:${port}/` }],
    capabilities: ["clipboard_write", { text: "x" }],
    fs: ["read", { file_path: "a.txt" }],
    shell: ["bash", { command: "true" }],
  } as const
  const grants = {
    net: { net: { hosts: ["127.0.0.1"] } },
    capabilities: { capabilities: ["clipboard"] },
    fs: { fs: { read: ["{workspace}/**"] } },
    shell: { shell: [{ cmd: "*" }] },
  } as const
  try {
    for (const [granted, grant] of Object.entries(grants)) {
      const network = { grants: [`127.0.0.1:${port}`] }
      const session = await world.open({ toolset: "all", guard: { grant }, network })
      for (const [way, [tool, input]] of Object.entries(ways)) {
        const { type, metadata } = await session.call(tool, input, agreed)
        const isOpen = type === "output" || metadata.error_code !== "denied"
        expect([granted, way, isOpen]).toEqual([granted, way, granted === way])
      }
    }
  } finally {
    server.close()
  }
})

describe.skipIf(!sandboxIsHere || !areHere("python3", "ps"))("processes of different sessions", () => {
  test("[C2-75] see nothing of each other: no process, no temporary file, no home, no scratch", async () => {
    await using world = await shellWorld()
    const other = await world.open()
    // Python writes the second, because a job may not name files of the machine outside the workspace.
    const home = `python3 -c "import os; open(os.path.expanduser('~/mine'), 'w').write('5ecret')"`
    const command = `echo 5ecret | tee /tmp/mine > /dev/null; ${home}; exec sleep 95.41`
    dataOf(await other.call("job_start", { command }, agreed))
    writeFileSync(join(other.scratch, "mine"), "5ecret")
    await until(() => running("sleep 95.41").length > 0)
    // Python looks for the scratch folder, so that the sandbox has to hold it and not a rule.
    const { stdout } = await world.run(
      `ps ax; python3 -c "import glob; print([open(p).read() for p in glob.glob('${world.home}/sessions/*/scratch/mine')])"; cat /tmp/mine ~/mine; kill -9 -1`,
    )
    expect(stdout).toMatch(/ps ax[\s\S]*\[\]/)
    expect(stdout).not.toMatch(/95\.41|5ecret/)
    expect(running("sleep 95.41")).not.toEqual([])
  })
})

describe.skipIf(!sandboxIsHere || !areHere("python3"))("a program with a will of its own", () => {
  test("[C2-83] stays in the sandbox to its last child: neither secrets nor protected names nor a network", async () => {
    let visits = 0
    const server = createServer((socket) => {
      visits += 1
      socket.end("reached\n")
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    await using world = await shellWorld({
      ".env": "KEY=5ecret\n",
      "agent.py": [
        "import subprocess",
        "for line in ('cat .env', 'echo x > .mcp.json', 'setsid bash -c \"cat .env\"', 'cat < /dev/tcp/127.0.0.1/PORT'):".replace(
          "PORT",
          String(port),
        ),
        "  done = subprocess.run(['bash', '-c', f'bash -c {line!r}'], capture_output=True, text=True)",
        "  print(done.returncode != 0, done.stdout)",
      ].join("\n"),
    })
    const { stdout } = await world.run("python3 agent.py")
    expect(stdout.match(/True|False/g)).toEqual(["True", "True", "True", "True"])
    expect(stdout).not.toMatch(/5ecret|reached/)
    expect(visits).toBe(0)
    server.close()
  })
})
