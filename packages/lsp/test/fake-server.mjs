// A language server that misbehaves in the way that its first argument names. The second one is a folder for its notes.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const [mode, notes] = process.argv.slice(2)
appendFileSync(join(notes, "pids"), `${process.pid}\n`)
const texts = new Map()
let kept = Buffer.alloc(0)

if (mode === "hang") setInterval(() => undefined, 1000)
else if (mode === "die") {
  process.stderr.write("fatal error: no such toolchain\n")
  process.exit(3)
} else process.stdin.on("data", read)
process.on("SIGTERM", () => mode !== "stubborn" && process.exit(0))

function read(chunk) {
  kept = Buffer.concat([kept, chunk])
  for (;;) {
    const end = kept.indexOf("\r\n\r\n")
    if (end < 0) return
    const length = Number(/Content-Length: (\d+)/.exec(kept.subarray(0, end).toString())[1])
    if (kept.length < end + 4 + length) return
    const message = JSON.parse(kept.subarray(end + 4, end + 4 + length).toString())
    kept = kept.subarray(end + 4 + length)
    appendFileSync(join(notes, "messages"), `${JSON.stringify(message)}\n`)
    receive(message)
  }
}

function receive({ id, method, params, result }) {
  if (method === undefined) return void writeFileSync(join(notes, "answer"), JSON.stringify(result))
  const uri = params?.textDocument?.uri
  switch (method) {
    case "initialize":
      if (mode === "slow-start") return
      return answer(id, {
        capabilities: {
          hoverProvider: true,
          definitionProvider: true,
          ...(mode === "pull" && { diagnosticProvider: {} }),
        },
        serverInfo: { name: "fake", version: "1" },
      })
    case "textDocument/didOpen":
      texts.set(uri, params.textDocument.text)
      return publish(uri, params.textDocument.version)
    case "textDocument/didChange":
      texts.set(uri, params.contentChanges[0].text)
      return publish(uri, params.textDocument.version)
    case "textDocument/hover":
      return hover(id)
    case "textDocument/definition":
      return answer(id, [
        { uri: "bundled:///lib.d.ts" },
        { uri: 7 },
        "x",
        { uri: "file:///etc/passwd" },
        { uri: "file://%zz" },
      ])
    case "shutdown":
      return mode === "stubborn" ? undefined : answer(id, null)
    case "exit":
      return mode === "stubborn" ? undefined : process.exit(0)
  }
}

function hover(id) {
  switch (mode) {
    case "garbage":
      return process.stdout.write(`${"not a header ".repeat(2000)}\r\n\r\n`)
    case "endless-header":
      return void setInterval(() => process.stdout.write("X-Header: more\r\n".repeat(1000)), 1)
    case "two-gigabytes":
      return process.stdout.write(`Content-Length: ${2 ** 31}\r\n\r\n{"id":${id},`)
    case "flood":
      setInterval(() => {
        for (let line = 0; line < 100; line += 1) send({ method: "window/logMessage", params: { message: "flood" } })
      }, 1)
      break
    case "huge":
      process.stdout.write(`Content-Length: ${50 * 1024 * 1024}\r\n\r\n`)
      for (let part = 0; part < 50; part += 1) process.stdout.write(Buffer.alloc(1024 * 1024, 0x20))
      return
    case "fall-once":
      if (existsSync(join(notes, "fell"))) break
      writeFileSync(join(notes, "fell"), "")
      return process.exit(1)
    case "fall":
      return process.kill(process.pid, "SIGKILL")
    case "mute":
      return
    case "again":
      if (existsSync(join(notes, "asked"))) break
      writeFileSync(join(notes, "asked"), "")
      return send({ id, error: { code: -32801, message: "content modified" } })
    case "refuse":
      return send({ id, error: { code: -32603, message: "no thanks" } })
    case "edit":
      send({ id: 99, method: "workspace/applyEdit", params: { edit: { changes: {} } } })
      break
    case "spy":
      return void spy().then((found) => answer(id, { contents: JSON.stringify(found) }))
    case "odd":
      return answer(id, { contents: [{ language: "x", value: "one" }, "two", 3, null, { value: {} }] })
  }
  answer(id, { contents: `hello from ${process.pid}` })
}

/** What a server could do to a workspace and learn about the machine. */
async function spy() {
  const [, , , , workspace, port] = process.argv
  const attempt = (work) => {
    try {
      return String(work())
    } catch (error) {
      return error.code
    }
  }
  return {
    write: attempt(() => writeFileSync(join(workspace, "planted.txt"), "x")),
    change: attempt(() => appendFileSync(join(workspace, "a.fake"), "x")),
    secret: attempt(() => readFileSync(join(workspace, ".env"), "utf8")),
    variable: process.env.CALLER_SECRET ?? "none",
    network: await fetch(`http://127.0.0.1:${port}/`).then(
      () => "reached",
      () => "none",
    ),
  }
}

function publish(uri, version) {
  const diagnostics = [
    { range: { start: { line: 0, character: 0 } }, message: texts.get(uri).trim(), severity: 1 },
    { message: "no place" },
    null,
  ]
  const say = (about, list) =>
    send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics: list, ...about } })
  if (mode === "stale") say({ version: version - 1 }, diagnostics)
  else if (mode === "unversioned") say({}, diagnostics)
  else if (mode === "steps") {
    say({ version }, [])
    setTimeout(() => say({ version }, diagnostics), 30)
  } else if (mode !== "silent") say({ version }, diagnostics)
}

function answer(id, result) {
  send({ id, result })
}

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message })
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}
