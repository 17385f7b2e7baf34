import { expect, test } from "vitest"
import { baseName, extensionOf, folderOf } from "./paths.js"

test("parts of paths", () => {
  expect([baseName("a/b.tar.gz"), folderOf("a/b.tar.gz"), extensionOf("a/b.tar.GZ")]).toEqual(["b.tar.gz", "a/", "gz"])
  expect([baseName("b"), folderOf("b"), extensionOf(".env")]).toEqual(["b", "", ""])
  expect([baseName("a/b/"), folderOf("a/b/"), folderOf("/b")]).toEqual(["b", "a/", "/"])
  expect(baseName("C:\\a\\b.txt")).toBe("b.txt")
})
