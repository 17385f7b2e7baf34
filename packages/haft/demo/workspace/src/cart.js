import { discountFor } from "./discount.js"

/** The price of a cart in cents. */
export function total(items) {
  const sum = items.reduce((cents, item) => cents + item.cents * item.count, 0)
  return sum - discountFor(sum)
}

/** One line for the receipt. */
export function receiptLine({ name, cents, count }) {
  // TODO align the amounts
  return `${count} x ${name}  ${(cents * count) / 100}`
}
