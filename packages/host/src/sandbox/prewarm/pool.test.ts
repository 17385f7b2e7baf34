import { once } from "node:events"
import { afterEach, describe, expect, test } from "vitest"
import { until, waiters } from "../testing/prewarm-bench.js"
import { type PoolOptions, type PrewarmPlan, PrewarmPool } from "./pool.js"
import { handshakeArgv } from "./prewarmed-sandbox.js"

describe.skipIf(process.platform !== "linux")("what a session starts ahead", () => {
  let pool: PrewarmPool
  const open = (options: PoolOptions = {}) => {
    pool = new PrewarmPool({ quietMs: 1, ...options })
  }
  afterEach(async () => {
    await pool.close()
    expect(waiters()).toEqual([])
  })

  /** A waiter with no sandbox around it. */
  const order: PrewarmPlan = {
    host: "host",
    rules: "rules",
    key: (program) => program,
    stamp: () => "stamp",
    launch: () => launchOf(handshakeArgv(3)),
  }
  const visit = (wanted: PrewarmPlan | undefined = order, argv = ["/bin/echo", "hi"]) => {
    const one = pool.enter(wanted)
    const taken = one.take(argv)
    one.leave()
    return taken
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve, 60))
  const warmUp = async (wanted = order) => {
    visit(wanted)
    await settle()
    visit(wanted)
    await until(() => waiters().length > 0)
  }

  test("does not wait for ever", async () => {
    open({ keptMs: 50 })
    await warmUp()
    await until(() => waiters().length === 0)
    expect(visit()).toBeUndefined()
  })

  test("is one at most, and becomes what it is told", async () => {
    open()
    await warmUp()
    visit(undefined)
    await settle()
    expect(waiters()).toHaveLength(1)
    const taken = visit()!
    taken.child.stdout!.resume()
    expect(await once(taken.child, "exit")).toEqual([0, null])
  })

  test("is not started while a command runs, nor after the end of the session", async () => {
    open({ quietMs: 0 })
    const running = pool.enter(undefined)
    visit()
    await settle()
    visit()
    await settle()
    expect(waiters()).toEqual([])
    running.leave()
    running.leave()
    await pool.close()
    await settle()
    visit()
    await settle()
    expect(waiters()).toEqual([])
  })

  test("is not taken when anything about the sandbox differs, and is gone then", async () => {
    const others: readonly Partial<PrewarmPlan>[] = [
      { host: "other" },
      { rules: "other" },
      { key: () => "other" },
      { stamp: () => "other" },
    ]
    for (const other of others) {
      open()
      await warmUp()
      const [before] = waiters()
      expect(visit({ ...order, ...other })).toBeUndefined()
      await until(() => !waiters().includes(before!))
      await pool.close()
    }
  })

  test.each([
    ["does not understand what it is told", ""],
    ["is killed before it became the command", "kill -KILL $$;"],
  ])("that %s is an error, and there is no other", async (_, end) => {
    open()
    const deaf = { ...order, launch: () => launchOf(["/bin/sh", "-c", `read x <&3; ${end} ${lastLines}`]) }
    await warmUp(deaf)
    const { child, launch } = visit(deaf)!
    let stderr = ""
    child.stderr!.on("data", (piece) => (stderr += piece))
    const [code] = await once(child, "close")
    expect((await launch.end!({ exitCode: code }, stderr)).failure?.message).toContain("did not reach the sandbox")
    visit(deaf)
    await settle()
    expect(waiters()).toEqual([])
  })

  test("that cannot be started is nobody's error", async () => {
    open()
    const broken = { ...order, launch: () => launchOf(["/nonexistent/program"]) }
    for (let round = 0; round < 3; round += 1) {
      expect(visit(broken)).toBeUndefined()
      await settle()
    }
  })

  const lastLines = handshakeArgv(3)[2]!.split("done\n").at(-1)

  function launchOf([file = "", ...args]: readonly string[]) {
    return { file, args, env: {}, cwd: "/", extraFds: ["pipe" as const], handshake: 3, dispose: () => undefined }
  }
})
