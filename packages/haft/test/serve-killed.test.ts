import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { createInterface } from "node:readline"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Served, token } from "./serve-world.js"
import { type SourceCommand, sourceCommand, startCommand } from "./source-command.js"
import { type Workbench, workbench } from "./workbench.js"

let command: SourceCommand
let bench: Workbench

beforeAll(async () => {
  command = await sourceCommand()
  bench = workbench()
})

afterAll(() => {
  command?.remove()
  bench?.remove()
})

test("a server that is killed while a turn waits for an answer: the next one asks again, and the turn ends", async () => {
  bench.write("begin.jsonl", `${JSON.stringify({ text: "I write.", calls: [write] })}\n`)
  bench.write("rest.jsonl", `${JSON.stringify({ text: "Done." })}\n`)
  const port = await freePort()
  const first = await start(port, "begin.jsonl")
  const id = await first.served.open()
  const sent = await first.served.send(`/api/sessions/${id}/messages`, {
    json: { text: "Write it", turnId: "turn_killed00" },
  })
  expect(sent).toMatchObject({ status: 202, json: { turnId: "turn_killed00" } })
  const ask = await first.served.ask()
  const seen = await first.served.frames(`/api/sessions/${id}/events`, ({ event }) => event === "live")
  first.child.kill("SIGKILL")
  await once(first.child, "close")

  const second = await start(port, "rest.jsonl")
  try {
    // The same question under the same id: a page that still shows it can answer.
    const again = await second.served.ask()
    expect({ id: again.id, call: again.call }).toEqual({ id: ask.id, call: ask.call })
    const cursor = encodeURIComponent(seen.at(-1)!.id!)
    const frames = second.served.frames(
      `/api/sessions/${id}/events?from=${cursor}`,
      ({ data }) => data.type === "turn-end",
    )
    expect(await second.served.send(`/api/asks/${ask.id}`, { json: { answer: "once" } })).toMatchObject({ status: 200 })
    const told = await frames
    expect(told[0]).toMatchObject({ event: "reset", data: { reason: "restart" } })
    const names = told
      .map(({ data }) => data.type)
      .filter((type) => ["turn-start", "reply", "tool-end", "turn-end"].includes(type))
    expect(names).toEqual(["turn-start", "reply", "tool-end", "reply", "turn-end"])
    expect(told.at(-1)!.data.outcome).toMatchObject({ reason: "done", text: "Done." })
    expect(bench.read("made.txt")).toBe("made\n")
    const { json } = await second.served.send(`/api/sessions/${id}/timeline`)
    expect(json.turns).toMatchObject([
      { turnId: "turn_killed00", text: "Write it", outcome: { reason: "done" }, replies: [{ calls: [ask.call] }, {}] },
    ])
    expect(json.calls).toMatchObject([{ callId: ask.call, asked: true, end: "output" }])
    expect((await second.served.send(`/api/sessions/${id}/chain`)).json).toEqual({ ok: true })
  } finally {
    second.child.kill("SIGINT")
    expect((await once(second.child, "close"))[0]).toBe(0)
  }
})

const write = { name: "write", args: { file_path: "made.txt", content: "made\n" } }

async function start(port: number, script: string) {
  const words = ["serve", "--port", String(port), "--token", token, "--json", "--model", `script:${script}`]
  const child = startCommand(command, bench, words)
  let errors = ""
  child.stderr.on("data", (piece) => (errors += String(piece)))
  const [line] = await Promise.race([
    once(createInterface(child.stdout), "line"),
    once(child, "close").then(() => Promise.reject(new Error(errors))),
  ])
  expect(JSON.parse(line as string)).toMatchObject({ port, url: `http://127.0.0.1:${port}/#token=${token}` })
  return { child, served: new Served(bench, port, async () => 0) }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}
