import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { isOpen } from "../../test/is-open.js"
import { createObservedGround } from "./testing/observed-ground.js"

const start =
  "mkdir -p d/e/f; echo A > a; echo B > b; chmod 600 b; ln -s a c; echo DA > d/a; chmod 700 d; echo DB > d/b; echo DEA > d/e/a"

const name = fc.constantFrom("a", "b", "c", "d", "d/a", "d/b", "d/e", "d/e/a", "d/e/f")
const two = fc.tuple(name, name)
const line = fc.oneof(
  // To write into a pipe is to wait for a reader.
  fc.tuple(fc.nat(99), name).map(([text, path]) => `[ -p ${path} ] || echo ${text} > ${path}`),
  name.map((path) => `rm -rf ${path}`),
  name.map((path) => `mkdir -p ${path}`),
  name.map((path) => `truncate -s 1 ${path}`),
  name.map((path) => `rm -rf ${path}; mkfifo ${path}`),
  two.map(([from, to]) => `mv -T ${from} ${to}`),
  two.map(([one, other]) => `mv -T ${one} away && mv -T ${other} ${one} && mv -T away ${other}`),
  two.map(([text, path]) => `ln -sfn ${text} ${path}`),
  two.map(([from, to]) => `ln -f ${from} ${to}`),
  two.map(([from, to]) => `cp -a ${from} ${to}`),
  fc.tuple(fc.constantFrom("600", "755", "500", "2755"), name).map(([mode, path]) => `chmod ${mode} ${path}`),
)
const command = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("; "))

const conditions = {
  "told by events": {},
  "told by events, with a second thread": { threadFrom: 1 },
  "with a full event queue": { events: { queueLength: 4 } },
  "with watches refused": { events: { maxWatches: 1 } },
}

test.each(Object.entries(conditions))(
  "random commands, each undone in turn from the last, give back the same bytes, modes and links %s",
  async (_, how) => {
    let undone = 0
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 3 }), async (commands) => {
        const ground = createObservedGround(how)
        try {
          ground.shell(start)
          const calls = []
          for (const text of commands) {
            const before = contentOf(ground.root)
            ground.effects.length = 0
            const { complete } = await ground.during(() => ground.shell(`${text}; true`))
            calls.push({ before, complete, effects: [...ground.effects] })
          }
          for (const { before, complete, effects } of calls.reverse()) {
            // A pipe that is gone does not come back, and its command has said so.
            if (!complete) return
            await ground.undo(effects)
            undone += 1
            expect(contentOf(ground.root)).toEqual(before)
          }
        } finally {
          await ground.close()
        }
      }),
      { numRuns: 40 },
    )
    expect(undone).toBeGreaterThan(40)
  },
  120_000,
)

test.each(Object.entries(conditions))(
  "what other programs change between commands is nobody's, and undo leaves it %s",
  async (_, how) => {
    let undone = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(command, command), { minLength: 1, maxLength: 3 }), async (pairs) => {
        const ground = createObservedGround(how)
        try {
          ground.shell(start)
          for (const [other, text] of pairs) {
            ground.shell(`${other}; true`)
            const before = contentOf(ground.root)
            ground.effects.length = 0
            const { complete } = await ground.during(() => ground.shell(`${text}; true`))
            if (!complete) return
            await ground.undo()
            undone += 1
            expect(contentOf(ground.root)).toEqual(before)
          }
        } finally {
          await ground.close()
        }
      }),
      { numRuns: 30 },
    )
    expect(undone).toBeGreaterThan(20)
  },
  120_000,
)

type Found = readonly [path: string, mode: number, content: string]

/** All that there is to a tree, by path. What is in a folder after `chmod 600`, an ordinary user cannot see. */
function contentOf(folder: string, below = ""): readonly Found[] {
  const names = isOpen(folder) ? readdirSync(folder).sort() : []
  return names.flatMap((name): readonly Found[] => {
    const [place, path] = [join(folder, name), below + name]
    const facts = lstatSync(place)
    if (facts.isSymbolicLink()) return [[path, facts.mode, readlinkSync(place)]]
    if (facts.isDirectory()) return [[path, facts.mode, ""], ...contentOf(place, `${path}/`)]
    return [[path, facts.mode, facts.isFile() ? readFileSync(place, "hex") : ""]]
  })
}
