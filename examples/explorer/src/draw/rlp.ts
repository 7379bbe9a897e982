/**
 * Where the items of an RLP list stand in its bytes: enough to draw a node. What is checked is
 * checked in the core.
 */

/** An item: its payload as `[from, to)`. */
export interface Item {
  readonly isList: boolean
  /** Where it starts, header included. */
  readonly start: number
  readonly from: number
  readonly to: number
}

/** The item at `at`; undefined where there is none. */
function itemAt(bytes: Uint8Array, at: number): Item | undefined {
  const first = bytes[at]
  if (first === undefined) return undefined
  if (first < 0x80) return { isList: false, start: at, from: at, to: at + 1 }
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  if (short < 56) return inside(bytes, { isList, start: at, from: at + 1, to: at + 1 + short })
  const size = short - 55
  const length = bytes.subarray(at + 1, at + 1 + size).reduce((sum, byte) => sum * 256 + byte, 0)
  return inside(bytes, { isList, start: at, from: at + 1 + size, to: at + 1 + size + length })
}

function inside(bytes: Uint8Array, item: Item): Item | undefined {
  return item.to <= bytes.length ? item : undefined
}

/** The items of the list at `at`; none if there is no list. */
export function itemsAt(bytes: Uint8Array, at: number): readonly Item[] {
  const list = itemAt(bytes, at)
  if (list?.isList !== true) return []
  const items: Item[] = []
  for (let next = list.from; next < list.to; ) {
    const item = itemAt(bytes, next)
    if (item === undefined) return []
    items.push(item)
    next = item.to
  }
  return items
}

/** Bytes as hex digits. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The bytes of `0x…`. */
export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
