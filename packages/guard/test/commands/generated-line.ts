import fc from "fast-check"

/** A line with the files that it opens for writing, known because it was built from them. */
export interface GeneratedLine {
  readonly text: string
  readonly writes: readonly string[]
}

function joinLines(left: GeneratedLine, operator: string, right: GeneratedLine): GeneratedLine {
  return { text: `${left.text}${operator}${right.text}`, writes: [...left.writes, ...right.writes] }
}

const name = fc
  .tuple(
    fc.constantFrom("a", "b c", "d'e", 'f"g', "h$i", "j*", "-k", "é", "~l", "m;n", "o#", "{p,q}", "r\\s", "t`u", "v!"),
    fc.nat(99),
  )
  .map(([stem, number]) => `${stem}${number}`)

/** A name in one of the ways that bash reads as that name. */
function spelled(text: string): fc.Arbitrary<string> {
  const single = `'${text.replaceAll("'", "'\\''")}'`
  const double = `"${text.replace(/["\\$`]/g, "\\$&")}"`
  const escaped = text.replace(/[^\w./-]/g, "\\$&")
  const ansi = `$'${[...new TextEncoder().encode(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`
  return fc.constantFrom(single, double, escaped, ansi, `""${escaped}`, `./${escaped}`)
}

const quotedRedirection = fc
  .tuple(name, fc.constantFrom(">", ">>", ">|", "2>", "&>", "<>", "1> ", " >  "))
  .chain(([target, operator]) => spelled(target).map((word) => ({ text: `${operator}${word}`, target })))

// With quotes this one is opaque, because bash reads it in two ways.
const plainRedirection = fc.nat(99).map((number) => ({ text: `>&w${number}`, target: `w${number}` }))

const redirection = fc.oneof({ arbitrary: quotedRedirection, weight: 8 }, { arbitrary: plainRedirection, weight: 1 })

function simple(): fc.Arbitrary<GeneratedLine> {
  const program = fc.constantFrom(
    "echo x",
    ":",
    "true",
    "printf %s y",
    "pwd",
    "echo 'a > b'",
    'echo "c > d"',
    "echo e \\> f",
    "cat /dev/null",
    "test -f g",
  )
  return fc
    .tuple(program, fc.array(redirection, { maxLength: 2 }), fc.boolean())
    .map(([words, redirections, before]) => {
      const opened = redirections.map(({ text }) => text).join(" ")
      return {
        text: before && opened ? `${opened} ${words}` : `${words} ${opened}`.trim(),
        writes: redirections.map(({ target }) => target),
      }
    })
}

function wrapped(inner: fc.Arbitrary<GeneratedLine>): readonly fc.Arbitrary<GeneratedLine>[] {
  const around = (wrap: (text: string) => string) => inner.map(({ text, writes }) => ({ text: wrap(text), writes }))
  return [
    around((text) => `(${text}\n)`),
    around((text) => `{ ${text}\n}`),
    around((text) => `if true; then ${text}\nfi`),
    around((text) => `for i in 1; do ${text}\ndone`),
    around((text) => `case x in x) ${text}\n;; esac`),
    around((text) => `echo "$(${text}\n)"`),
    around((text) => `! { ${text}\n}`),
    around((text) => `bash -c '${text.replaceAll("'", "'\\''")}'`),
    around((text) => `eval '${text.replaceAll("'", "'\\''")}'`),
    around((text) => `cat <(${text}\n) >/dev/null`),
    around((text) => `timeout 9 bash -c '${text.replaceAll("'", "'\\''")}'`),
    fc.tuple(inner, redirection).map(([{ text, writes }, opened]) => ({
      text: `{ ${text}\n} ${opened.text}`,
      writes: [...writes, opened.target],
    })),
  ]
}

/** Lines made of harmless commands whose redirections, spellings and nesting are chosen at random. */
export const generatedLine: fc.Arbitrary<GeneratedLine> = fc
  .letrec<{ list: GeneratedLine; command: GeneratedLine }>((tie) => ({
    list: fc
      .tuple(
        tie("command"),
        fc.array(fc.tuple(fc.constantFrom("; ", " && ", " || ", " | ", "\n", " & "), tie("command")), { maxLength: 3 }),
      )
      .map(([first, more]) => more.reduce((left, [operator, right]) => joinLines(left, operator, right), first)),
    command: fc.oneof({ depthSize: "small", withCrossShrink: true }, simple(), ...wrapped(tie("list"))),
  }))
  .list.map(({ text, writes }) => ({ text, writes: [...new Set(writes)] }))
