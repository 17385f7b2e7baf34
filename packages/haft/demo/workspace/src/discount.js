const large = 100_00

/** The discount on a sum in cents: 10 % from 100.00 on. */
export function discountFor(cents) {
  if (cents > large) return Math.round(cents / 10)
  return 0
}
