import { chmodSync } from "node:fs"
import type { Envelope } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { sandboxIsHere, shellWorld } from "./shell-world.js"

const rules = [
  { permission: "bash", action: "allow" },
  { permission: "exec", action: "allow" },
] as const

describe.skipIf(!sandboxIsHere)("in the default sandbox", () => {
  test("a signal is told as one, and what a shell tells as a code stays a code", async () => {
    await using world = await shellWorld()
    const end = async (command: string) => {
      const { exit_code, signal } = await world.run(command)
      return { exit_code, ...(signal !== undefined && { signal }) }
    }
    expect(await end("kill -HUP $$")).toEqual({ exit_code: null, signal: "SIGHUP" })
    expect(await end("kill -TERM $$")).toEqual({ exit_code: null, signal: "SIGTERM" })
    expect(await end("kill -KILL $$")).toEqual({ exit_code: null, signal: "SIGKILL" })
    expect(await end("kill -SEGV $$")).toEqual({ exit_code: null, signal: "SIGSEGV" })
    expect(await end("kill -ABRT $$")).toEqual({ exit_code: null, signal: "SIGABRT" })
    expect(await end("kill -USR1 $$")).toEqual({ exit_code: null, signal: "SIGUSR1" })
    expect(await end("kill -INT $$")).toEqual({ exit_code: 130 })
    expect(await end("kill -PIPE $$")).toEqual({ exit_code: 141 })
    expect(await end("exit 137")).toEqual({ exit_code: 137 })
    expect(await end("no-such-program-anywhere 2>/dev/null")).toEqual({ exit_code: 127 })
  })

  test("only starting the program that was named is an error of exec", async () => {
    await using world = await shellWorld({ "plain.sh": "echo ran\n", "orphan.sh": "#!/nonexistent/interpreter\n" })
    chmodSync(world.path("plain.sh"), 0o644)
    chmodSync(world.path("orphan.sh"), 0o755)
    const exec = (command: string, ...args: string[]): Promise<Envelope> =>
      world.session.call("exec", { command, args }, { answer: "once" })
    const absent = { type: "error", metadata: { error_code: "not_found" } }
    expect(await exec("./absent.sh")).toMatchObject(absent)
    expect(await exec("./orphan.sh")).toMatchObject(absent)
    expect(await exec("./plain.sh")).toMatchObject({ type: "error", metadata: { error_code: "denied" } })
    const ran = { type: "output", data: { exit_code: 127 } }
    expect(await exec("sh", "-c", "./absent.sh")).toMatchObject(ran)
    expect(await exec("sh", "-c", "exit 127")).toMatchObject(ran)
  })

  test("other systems are told in their own words", async () => {
    await using world = await shellWorld({}, { rules })
    const run = async (dialect: string, name: string, input: object) =>
      JSON.parse(await world.session.executor({ dialect }).execute(name, JSON.stringify(input)))
    const killed = { command: "kill -9 $$" }
    const a3s = world.session.executor({ dialect: "a3s" })
    expect(await a3s.execute("bash", JSON.stringify(killed))).toBe("[Command ended by SIGKILL]")
    expect(await a3s.execute("bash", '{"command":"exit 137"}')).toBe("[Exit code: 137]")
    expect(await run("claw", "bash", killed)).toMatchObject({ returnCodeInterpretation: "signal:SIGKILL" })
    expect(await run("claw", "bash", { command: "exit 137" })).toMatchObject({
      returnCodeInterpretation: "exit_code:137",
    })
    const shell = { command: "sh", args: ["-c", "kill -9 $$"] }
    expect(await run("asyar", "builtin:shell-exec", shell)).toMatchObject({ exitCode: null })
    const absent = world.session.executor({ dialect: "asyar" }).execute("builtin:shell-exec", '{"command":"./x.sh"}')
    await expect(absent).rejects.toMatchObject({ code: "not_found" })
  })
})
