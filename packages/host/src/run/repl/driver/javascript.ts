import { channelDescriptor } from "./channel.js"

/**
 * Evaluates pieces of JavaScript in one global scope and shows the value of the last expression. A running loop is
 * interrupted by the engine. Only pieces with `await` at the top go to the evaluator of the interactive prompt, which
 * can rewrite them and shares the scope.
 */
export const javascriptDriver = String.raw`
const { Socket } = require("node:net")
const { PassThrough, Writable } = require("node:stream")
const { createRequire } = require("node:module")
const { inspect } = require("node:util")
const { join } = require("node:path")
const repl = require("node:repl")
const vm = require("node:vm")

const channel = new Socket({ fd: ${channelDescriptor}, readable: true, writable: true })
const nowhere = new Writable({ write: (chunk, encoding, done) => done() })
const prompt = repl.start({
  prompt: "",
  input: new PassThrough(),
  output: nowhere,
  terminal: false,
  useGlobal: true,
  breakEvalOnSigint: true,
})
globalThis.require = createRequire(join(process.cwd(), "repl.js"))

let settle
const fail = (error) => {
  report(error)
  settle?.(1)
}
// The prompt sends errors to a domain where it has one, and to the callback where it has none.
prompt._domain?.removeAllListeners("error")
prompt._domain?.on("error", fail)
process.on("uncaughtException", fail)
// Ends the wait for a promise; where the prompt does not (Node 26), the wait is given up here.
const onInterrupt = () => {
  const waiting = settle
  if (!waiting) return
  prompt.emit("SIGINT")
  setImmediate(() => settle === waiting && fail(new Error("Script execution was interrupted by SIGINT")))
}
process.on("SIGINT", onInterrupt)

function report(error) {
  const cause = error?.err ?? error
  const words = cause instanceof Error ? ownPart(cause.stack ?? String(cause)) : "Uncaught " + inspect(cause)
  process.stderr.write(words + "\n")
}

/** The stack without the frames of this program. */
function ownPart(stack) {
  const lines = stack.split("\n")
  const end = lines.findIndex((line) => /^ +at .*(node:vm|node:internal\/vm|node:repl|node:domain)/.test(line))
  return lines.slice(0, end < 0 ? undefined : end).join("\n")
}

function compile(code) {
  const options = {
    filename: "code",
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }
  // What looks like an object is one, and not a block.
  if (/^\s*\{[^]*\}\s*$/.test(code)) {
    try {
      return new vm.Script("(" + code + "\n)", options)
    } catch {}
  }
  try {
    return new vm.Script(code, options)
  } catch (error) {
    if (!(error instanceof SyntaxError && /\bawait\b/.test(code))) throw error
  }
}

function show(value) {
  if (value === undefined) return
  globalThis._ = value
  process.stdout.write((typeof value === "string" ? value : inspect(value)) + "\n")
}

function evaluate(code) {
  return new Promise((resolve) => {
    const own = (status) => {
      settle = undefined
      resolve(status)
    }
    settle = own
    try {
      const script = compile(code)
      if (!script) return evaluateAsync(code, own)
      show(script.runInThisContext({ breakOnSigint: true, displayErrors: false }))
      own(0)
    } catch (error) {
      fail(error)
    }
  })
}

function evaluateAsync(code, own) {
  // The prompt wants no other listener while it runs code.
  process.removeListener("SIGINT", onInterrupt)
  prompt.eval(code + "\n", prompt.context, "code", (error, value) => {
    if (settle !== own) return
    if (error) return fail(error)
    show(value)
    own(0)
  })
  process.on("SIGINT", onInterrupt)
}

const flushed = (stream) => new Promise((resolve) => stream.write("", resolve))

let pending = Buffer.alloc(0)
let busy = Promise.resolve()
channel.on("data", (chunk) => {
  pending = Buffer.concat([pending, chunk])
  for (;;) {
    const first = pending.indexOf(0)
    const second = first < 0 ? -1 : pending.indexOf(0, first + 1)
    if (second < 0) return
    const nonce = pending.toString("latin1", 0, first)
    const code = pending.toString("utf8", first + 1, second)
    pending = pending.subarray(second + 1)
    busy = busy.then(async () => {
      const status = await evaluate(code)
      await flushed(process.stdout)
      await flushed(process.stderr)
      channel.write(nonce + " " + status + "\n")
    })
  }
})
channel.on("end", () => process.exit())
channel.write("ready\n")
`
