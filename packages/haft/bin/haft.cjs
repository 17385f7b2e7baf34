#!/usr/bin/env node
"use strict"
// Kept small: --version answers without the build, and everything else is one require away.
const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  answer(`${require("../package.json").version}\n`)
} else {
  const command = load()
  if (command) {
    command.main(argv).then((code) => {
      process.exitCode = code
    })
  }
}

// process.stdout would first load what streams and sockets need: longer than all the rest of this answer.
function answer(text) {
  try {
    require("node:fs").writeSync(1, text)
  } catch {
    process.stdout.write(text)
  }
}

function load() {
  try {
    return require("../dist/cli/main.cjs")
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND" || !error.message.includes("dist/cli/main.cjs")) throw error
    process.stderr.write("haft is not built yet; run: npm run build\n")
    process.exitCode = 3
  }
}
