/** A page of a list, with the numbers that made it one. */
export interface Page<Item> {
  readonly items: Item[]
  readonly applied: { readonly applied_limit?: number; readonly applied_offset?: number }
}

/** The items after the offset up to the limit; 0 is no limit. The limit counts as applied only when it left something out. */
export function pageOf<Item>(
  list: readonly Item[],
  { head_limit, offset }: { readonly head_limit: number; readonly offset: number },
): Page<Item> {
  const rest = list.slice(offset)
  const isCut = head_limit > 0 && rest.length > head_limit
  return {
    items: isCut ? rest.slice(0, head_limit) : rest,
    applied: { ...(isCut && { applied_limit: head_limit }), ...(offset > 0 && { applied_offset: offset }) },
  }
}
