/** Lists that a header holds only the root of: they cannot be read, and they do not pretend to be empty. */

/** The error of whoever reads such a list. */
export function noList(): Error {
  return new Error(
    "the header proves no list of transactions: compare the block's transactionsRoot, or ask a node that you trust",
  )
}

/**
 * Stands in for a list, and throws whatever is read of it. Only `map` may be called, once, by the library that copies the
 * list; JSON leaves it out, and printing it says what it is.
 */
export function unprovenList(isCopy = false): unknown {
  const get = (_: object, key: string | symbol): unknown => {
    if (key === 'map' && !isCopy) return () => unprovenList(true)
    if (key === 'toJSON') return () => undefined
    if (key === Symbol.toStringTag) return 'Unproven'
    const isAsked = typeof key === 'string' ? key !== 'then' : key === Symbol.iterator
    if (isAsked) throw noList()
    // A promise may resolve to it, and consoles may show it.
    return undefined
  }
  const refuse = (): never => {
    throw noList()
  }
  return new Proxy(Object.freeze({ notProven: true }), { get, has: refuse, ownKeys: refuse })
}
