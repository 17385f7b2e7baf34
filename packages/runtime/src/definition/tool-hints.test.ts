import { expect, test } from "vitest"
import { hintsOf } from "./tool-hints.js"

const fs = { read: ["{workspace}/**"], write: ["{workspace}/**"] }

test.each([
  ["reads", { tier: "read-only", retry: "safe", requires: { fs: { read: fs.read } } }, [true, false, true, false]],
  [
    "reads the web",
    { tier: "read-only", retry: "safe", requires: { net: { hosts: ["*"] } } },
    [true, false, true, true],
  ],
  [
    "overwrites",
    { tier: "workspace-write", retry: "never", requires: { fs: { write: fs.write } } },
    [false, true, true, false],
  ],
  ["changes what it read", { tier: "workspace-write", retry: "never", requires: { fs } }, [false, true, false, false]],
  [
    "runs programs",
    { tier: "full-access", retry: "never", requires: { shell: [{ cmd: "*" }] } },
    [false, true, false, true],
  ],
  ["is not known", {}, [false, true, false, true]],
] as const)("a tool that %s has its hints", (_what, tool, expected) => {
  const { readOnly, destructive, idempotent, openWorld } = hintsOf(tool)
  expect([readOnly, destructive, idempotent, openWorld]).toEqual(expected)
})
