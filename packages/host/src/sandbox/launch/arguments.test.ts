import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Wrapped } from "../backend.js"
import { explainBwrap, wrapWithBwrap } from "../bwrap/index.js"
import { explainSeatbelt } from "../seatbelt/index.js"
import { seatbeltProfile, wrapWithSeatbelt } from "../seatbelt/wrap.js"
import { sampleDetected, samplePlan } from "../testing/sample-plan.js"
import { explainUnshare } from "../unshare/index.js"
import { wrapWithUnshare } from "../unshare/wrap.js"
import { parseMounts } from "../view/host-mounts.js"

const golden = (name: string) => join(import.meta.dirname, "../testing/golden", name)
const mounts = parseMounts(
  [
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
    "30 22 8:2 / /usr/local rw,nosuid,nodev,noatime - ext4 /dev/sda2 rw",
    "31 22 8:3 / /work/a\\040project rw,nosuid - ext4 /dev/sda3 rw",
  ].join("\n"),
)

/** One argument a line, so that a change of the sandboxes is a readable change of a file. */
function written({ file, args, hiddenArguments, descriptors, environment }: Wrapped): string {
  const lines = (title: string, values: readonly string[] = []) =>
    values.length > 0 ? [`# ${title}`, ...values, ""] : []
  return [
    ...lines("program", [file]),
    ...lines("descriptors from 3 on", descriptors),
    ...lines("arguments", args),
    ...lines("hidden arguments", hiddenArguments),
    ...lines(
      "variables",
      Object.entries(environment ?? {}).map(([name, value]) => `${name}=${value}`),
    ),
  ].join("\n")
}

describe("the arguments of each backend are those in the golden files", () => {
  test("bwrap, as an ordinary user", async () => {
    await expect(written(wrapWithBwrap(samplePlan, sampleDetected))).toMatchFileSnapshot(golden("bwrap.txt"))
  })

  test("bwrap, as user 0 in a workspace of somebody else, with network and control groups", async () => {
    const plan = {
      ...samplePlan,
      identity: { kind: "owner", uid: 1000, gid: 1000 },
      relay: { node: "/usr/bin/node", source: "relay()" },
      limitProcesses: false,
    } as const
    await expect(written(wrapWithBwrap(plan, sampleDetected))).toMatchFileSnapshot(golden("bwrap-owner.txt"))
  })

  test("unshare, as an ordinary user", async () => {
    await expect(written(wrapWithUnshare(samplePlan, sampleDetected, mounts))).toMatchFileSnapshot(
      golden("unshare.txt"),
    )
  })

  test("seatbelt", async () => {
    await expect(written(wrapWithSeatbelt({ ...samplePlan, proxyPort: 3128 }, sampleDetected))).toMatchFileSnapshot(
      golden("seatbelt.txt"),
    )
  })
})

test("values are arguments of their own in every backend: none of them is ever part of a text that something splits", () => {
  const hostile = "a'b\"c $(touch /x) ; & \n -- {}"
  const plan = { ...samplePlan, argv: [hostile], limitProcesses: false }
  for (const wrapped of [
    wrapWithBwrap(plan, sampleDetected),
    wrapWithUnshare(plan, sampleDetected, mounts),
    wrapWithSeatbelt(plan, sampleDetected),
  ]) {
    expect(wrapped.args.filter((argument) => argument.includes("touch"))).toEqual([hostile])
    expect(wrapped.args.at(-1)).toBe(hostile)
  }
})

test("paths are in no seatbelt profile as text, where a quote in one could end it", () => {
  const hostile = '/work/x") (allow default) ("'
  const { text, parameters } = seatbeltProfile({ mounts: [{ kind: "write", source: hostile, target: hostile }] })
  expect(text).not.toContain(hostile)
  expect(Object.values(parameters)).toContain(hostile)
})

describe("the end of a sandbox and the end of a command are distinguished", () => {
  test.each([
    [
      "bwrap, namespaces forbidden",
      explainBwrap,
      { stderrTail: "bwrap: No permissions to create new namespace\n", exitCode: 1, status: '{ "child-pid": 7 }' },
      "No permissions to create new namespace",
    ],
    [
      "bwrap, the command failed",
      explainBwrap,
      { stderrTail: "bwrap: fake\n", exitCode: 1, status: '{ "child-pid": 7 }\n{ "exit-code": 1 }' },
      undefined,
    ],
    ["bwrap, ended by a signal", explainBwrap, { stderrTail: "bwrap: x\n", exitCode: null, status: "" }, undefined],
    [
      "unshare, a mount refused",
      explainUnshare,
      {
        stderrTail: "mount: /x: permission denied.\nhaft-sandbox: /usr could not be bound\n",
        exitCode: 125,
        status: "",
      },
      "/usr could not be bound; mount: /x: permission denied.",
    ],
    [
      "unshare, the command failed",
      explainUnshare,
      { stderrTail: "haft-sandbox: fake\n", exitCode: 125, status: "started\n" },
      undefined,
    ],
    [
      "seatbelt, bad profile",
      explainSeatbelt,
      { stderrTail: "sandbox-exec: unbound variable\n", exitCode: 65, status: "" },
      "unbound variable",
    ],
    ["seatbelt, the command failed", explainSeatbelt, { stderrTail: "no", exitCode: 65, status: "" }, undefined],
  ] as const)("%s", (_, explain, end, expected) => expect(explain({ ...end, relayRuns: true })).toBe(expected))
})
