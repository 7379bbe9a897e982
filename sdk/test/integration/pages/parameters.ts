/** What a test tells its page, in the part of the address after `#`. */

type Hex = `0x${string}`

/** Addresses of nodes and accounts of the development chain. */
export interface PageParameters {
  /** Whose word the page takes for which block is signed. */
  readonly oracle: string
  readonly nodes: readonly string[]
  readonly token: Hex
  readonly multicall: Hex
  readonly owner: Hex
  readonly friend: Hex
}

/** Those of this page. */
export function parameters(): PageParameters {
  return JSON.parse(decodeURIComponent(location.hash.slice(1))) as PageParameters
}

/** A page's address with its parameters. */
export function withParameters(url: string, given: PageParameters): string {
  return `${url}#${encodeURIComponent(JSON.stringify(given))}`
}
