import { expect, test } from "vitest"
import { catalog } from "../packages/tools/src/catalog.js"
import { checkWords } from "./words/catalogue-files.js"

const report = checkWords(process.cwd())

test("every text for people has a Chinese one", () => {
  expect(report.missing).toEqual([])
})

test("a Chinese text has the holes of the English one", () => {
  expect(report.different).toEqual([])
})

test("an entry is there once, and only while the sources have its English text", () => {
  expect(report.needless).toEqual([])
})

test("a text that is finished elsewhere can be recognized by its words", () => {
  expect(report.vague).toEqual([])
})

test("every tool says in Chinese what it does: its description is written for models", () => {
  const silent = catalog.filter(({ messages }) => !/\p{Script=Han}/u.test(messages["zh-CN"].summary ?? ""))
  expect(silent.map(({ manifest }) => manifest.id)).toEqual([])
})

// Names, protocol fields and samples: the same in every language.
const forPrograms = [
  '"-- with the plugin avante.nvim"',
  '"box images"',
  '"file watches"',
  '"web search"',
  '"text/plain; charset=utf-8"',
  '"claude mcp add haft --"',
  "`Authorization: Bearer ",
  '"--message=Prices in cents, with a discount"',
  '"--message=Tests and ideas"',
  "`<!doctype html>",
  '"the request"',
  '"Show me what you can do in this project."',
  "npm pack --silent",
  "npm install -D ./haft-",
  '"  npm test"',
  '"  npx haft tool check ."',
  '"Word count"',
  // For the model at an MCP client.
  "`Tools for the files and programs in",
]

test("the command line says all its words in the language of the person", () => {
  expect(report.unsaid.filter((text) => !forPrograms.some((known) => text.includes(known)))).toEqual([])
})
