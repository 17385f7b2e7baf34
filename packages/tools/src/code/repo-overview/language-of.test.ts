import { expect, test } from "vitest"
import { languageOf } from "./execute.js"

test.each([
  ["src/main.ts", "TypeScript"],
  ["a/B.PY", "Python"],
  ["Dockerfile", "Dockerfile"],
  ["sub/Makefile", "Makefile"],
  ["CMakeLists.txt", "CMake"],
  ["x.tar.gz", undefined],
  ["LICENSE", undefined],
  [".gitignore", undefined],
  [".ts", undefined],
  ["write-lock.ts", "TypeScript"],
  ["package-lock.json", undefined],
  ["pnpm-lock.yaml", undefined],
  ["Cargo.lock", undefined],
  ["dist/app.min.js", undefined],
  ["constructor", undefined],
  ["a.constructor", undefined],
])("%s is %s", (path, language) => {
  expect(languageOf(path)).toBe(language)
})
