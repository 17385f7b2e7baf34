import { expect, test } from "vitest"
import { probeFix } from "./refusal.js"

test.each([
  ["qemu-system-x86_64 not found", "apt-get install qemu-system-x86"],
  ["debugfs not found", "apt-get install e2fsprogs"],
  ["crun or runc not found", "apt-get install crun"],
  ["podman not found", "apt-get install podman"],
])("%s has the fix %s", (why, fix) => expect(probeFix({ why })).toBe(fix))

test("what cannot be mended by installing has no fix", () => {
  expect(probeFix({ why: "guest did not reach READY in 5000 ms" })).toBeUndefined()
  expect(probeFix({})).toBeUndefined()
})
