// Runs commands side by side and prints one line for each: ok or FAIL, the name, the time; output only of what failed.
import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { dirname, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")

/** Resolves to true when every step ended with exit code 0. */
export async function runSteps(steps) {
  const waiting = [...steps]
  const results = []
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await runStep(step))
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work))
  return results.every(Boolean)
}

async function runStep({ name, command, fix }) {
  const started = performance.now()
  const { code, output } = await run(command)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? "ok  " : "FAIL"}  ${name} (${seconds} s)`)
  if (code !== 0) {
    console.log(output.trimEnd().replace(/^/gm, "      "))
    if (fix) console.log(`      to repair: ${fix}`)
  }
  return code === 0
}

function run([program, ...rest]) {
  return new Promise((done) => {
    const file = program === "node" ? process.execPath : resolve(root, program)
    const child = spawn(file, rest, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
    })
    let output = ""
    child.stdout.on("data", (piece) => (output += piece))
    child.stderr.on("data", (piece) => (output += piece))
    child.on("error", (error) =>
      done({ code: 1, output: `Cannot start "${program}": ${error.message}; run npm install first` }),
    )
    child.on("close", (code) => done({ code: code ?? 1, output }))
  })
}
