import { describe, expect, test } from "vitest"
import { backendsHere } from "../testing/installed.js"
import { makeSandboxBench } from "../testing/sandbox-bench.js"

describe.each(backendsHere)("behind %s", (backend) => {
  test("no setting of the kernel can be changed, also not by user 0, who owns them", async () => {
    const bench = await makeSandboxBench({ backend })
    // Opened for writing and left as they are: a program for core dumps is started outside of every sandbox.
    const names = ["sys/kernel/core_pattern", "sys/kernel/hostname", "sys/vm/drop_caches", "sysrq-trigger", "mtrr"]
    const { stdout, code } = await bench.run(
      `for name in ${names.join(" ")}; do (: >> /proc/$name) 2>/dev/null && echo "open: $name"; done; test -r /proc/sys/kernel/hostname`,
    )
    expect([stdout, code]).toEqual(["", 0])
    await bench.close()
  })
})
