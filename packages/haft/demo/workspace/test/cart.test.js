import assert from "node:assert/strict"
import test from "node:test"
import { total } from "../src/cart.js"

test("a small cart costs what is in it", () => {
  assert.equal(total([{ name: "tea", cents: 350, count: 2 }]), 700)
})

test("a cart of exactly 100.00 gets the discount", () => {
  assert.equal(total([{ name: "kettle", cents: 5000, count: 2 }]), 9000)
})
