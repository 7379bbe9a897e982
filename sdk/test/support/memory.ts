/**
 * How much memory a module takes for inputs that were made to take much: lists and strings of
 * honest proofs, blown up by the items that cost their sender least.
 */

import { readFileSync } from 'node:fs'

/** About how long an input is made, in bytes: `LIGHTPROOF_SOAK_BYTES`, or half a megabyte. */
export const SIZE = Number(process.env['LIGHTPROOF_SOAK_BYTES'] ?? 500_000)

/** The most memory, and the most time, that one of many inputs took. */
export class Worst {
  #inputs = 0
  #longest = 0
  #factor = 0
  #time = 0
  #slowest = ''

  /**
   * Gives a module an input.
   *
   * @param length of the input, in bytes
   * @param grown by how many bytes the module's memory has grown since it was started
   */
  take(kind: string, length: number, call: () => unknown, grown: () => number): void {
    const began = performance.now()
    call()
    const time = performance.now() - began
    this.#inputs++
    this.#longest = Math.max(this.#longest, length)
    this.#factor = Math.max(this.#factor, grown() / length)
    if (time > this.#time) [this.#time, this.#slowest] = [time, kind]
  }

  /** As `npm run soak` reads it. */
  print(what: string): void {
    const [size, time] = [(this.#longest / 2 ** 20).toFixed(1), this.#time.toFixed(0)]
    const memory = `memory at most ${this.#factor.toFixed(1)} times their bytes`
    const slowest = `${time} ms at most (${this.#slowest})`
    console.log(`soak worst ${what}: ${this.#inputs} inputs of ${size} MiB; ${memory}, ${slowest}`)
  }
}

interface Glue {
  initSync(source: { module: BufferSource }): { readonly memory: WebAssembly.Memory }
  readonly [name: string]: unknown
}

/** RLP, read or made up: encoded lists are kept as bytes. */
export type Tree = Uint8Array | Items | Sealed | readonly Tree[]

const generated = (file: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`../../src/generated/${file}`, import.meta.url)))

export const bytes = (hex = '0x'): Uint8Array => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))

export const integer = (value: bigint): Uint8Array =>
  value === 0n ? new Uint8Array(0) : bytes(`0x${value.toString(16).replace(/^(?=(..)*.$)/, '0')}`)

let instances = 0

/** A module of its own, whose memory nobody else has grown. */
export async function start(
  module: string,
): Promise<Glue & { readonly memory: WebAssembly.Memory }> {
  const text = `${Buffer.from(generated(`${module}.js`))}\n// ${instances++}`
  const url = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
  const glue = (await import(/* @vite-ignore */ url)) as Glue
  const { memory } = glue.initSync({ module: generated(`${module}_bg.wasm`) })
  return { ...glue, memory }
}

export function decode(input: Uint8Array): Tree {
  let at = 0
  const item = (): Tree => {
    const prefix = input[at++] ?? 0
    if (prefix < 0x80) return input.subarray(at - 1, at)
    const base = prefix < 0xc0 ? 0x80 : 0xc0
    let length = prefix - base
    if (length > 55) {
      const digits = input.subarray(at, at + length - 55)
      at += digits.length
      length = digits.reduce((sum, digit) => sum * 256 + digit, 0)
    }
    const end = at + length
    if (base === 0x80) {
      at = end
      return input.subarray(end - length, end)
    }
    const items: Tree[] = []
    while (at < end) items.push(item())
    return items
  }
  return item()
}

/**
 * Every place in a tree: what stands there, how to put something else there, and the name of its
 * kind.
 */
export function* places(
  tree: Tree,
  put: (to: Tree) => Tree = (to) => to,
  kind = '',
): Generator<{ readonly at: Tree; readonly put: (to: Tree) => Tree; readonly kind: string }> {
  if (isList(tree)) encodings.set(tree, encode(tree))
  yield { at: tree, put, kind }
  if (!isList(tree)) return
  for (const [index, inner] of tree.entries()) {
    yield* places(
      inner,
      (to) => put(tree.map((old, i) => (i === index ? to : old))),
      `${kind}/${Math.min(index, 12)}`,
    )
  }
}

/** The same with nothing in its strings, but for the first one, which may name its form. */
const hollow = (tree: Tree, keep: boolean): Tree =>
  isList(tree)
    ? tree.map((inner, i) => {
        if (!(inner instanceof Uint8Array)) return []
        return keep && i === 0 ? inner : new Uint8Array(0)
      })
    : new Uint8Array(0)

/** A list of some items, and of one item as often as makes about {@link SIZE} bytes. */
export class Items {
  readonly before: Uint8Array
  readonly one: Uint8Array
  readonly length: number
  constructor(before: readonly Tree[], item: Tree) {
    this.before = Buffer.concat(before.map(encode))
    this.one = encode(item)
    this.length = this.before.length + Math.ceil(SIZE / this.one.length) * this.one.length
  }
}

/** A string that holds the encoding of a tree. */
export class Sealed {
  readonly tree: Tree
  constructor(tree: Tree) {
    this.tree = tree
  }
}

const isList = (tree: Tree): tree is readonly Tree[] => Array.isArray(tree)

/** Encodings of lists that stand in many inputs. */
const encodings = new WeakMap<readonly Tree[], Uint8Array>()

/** Lengths of the bodies of lists, which are asked for at each list around them. */
const lengths = new WeakMap<readonly Tree[], number>()

const encodedLength = (tree: Tree): number => prefixOf(tree).length + bodyLength(tree)

function bodyLength(tree: Tree): number {
  if (tree instanceof Sealed) return encodedLength(tree.tree)
  if (!isList(tree)) return tree.length
  const known = lengths.get(tree)
  if (known !== undefined) return known
  const length = tree.reduce((sum, inner) => sum + encodedLength(inner), 0)
  lengths.set(tree, length)
  return length
}

function prefixOf(tree: Tree): Uint8Array {
  const isShort = tree instanceof Uint8Array && tree.length === 1
  if (isShort && (tree[0] ?? 0) < 0x80) return new Uint8Array(0)
  const length = bodyLength(tree)
  const base = tree instanceof Uint8Array || tree instanceof Sealed ? 0x80 : 0xc0
  if (length < 56) return Uint8Array.of(base + length)
  const digits = integer(BigInt(length))
  return Uint8Array.of(base + 55 + digits.length, ...digits)
}

/** Writes a tree from a place on, and returns where it ends. */
function write(tree: Tree, out: Buffer, from: number): number {
  const known = isList(tree) ? encodings.get(tree) : undefined
  if (known !== undefined) {
    out.set(known, from)
    return from + known.length
  }
  const prefix = prefixOf(tree)
  out.set(prefix, from)
  const at = from + prefix.length
  if (tree instanceof Sealed) return write(tree.tree, out, at)
  if (isList(tree)) return tree.reduce((place, inner) => write(inner, out, place), at)
  if (tree instanceof Uint8Array) {
    out.set(tree, at)
  } else {
    out.set(tree.before, at)
    out.fill(tree.one, at + tree.before.length, at + tree.length)
  }
  return at + tree.length
}

export function encode(tree: Tree): Uint8Array {
  const out = Buffer.allocUnsafe(encodedLength(tree))
  write(tree, out, 0)
  return out
}

let room = Buffer.alloc(0)

/**
 * As {@link encode}, into bytes that the next call writes over: new memory for each of thousands of
 * inputs takes longer than to fill it.
 */
export function encodeInPlace(tree: Tree): Uint8Array {
  if (encodedLength(tree) > room.length) room = Buffer.alloc(2 * encodedLength(tree))
  return room.subarray(0, write(tree, room, 0))
}

/**
 * Lists of about {@link SIZE} bytes of a list's own first item, which go furthest through a check.
 */
export function* repeated(at: Tree): Generator<Tree> {
  if (!isList(at)) return
  const [first] = at
  if (first === undefined) return
  yield new Items([], first)
  yield new Items(at, first)
}

/** A list or string of about {@link SIZE} bytes in the place of another. */
export function* blownUp(at: Tree): Generator<Tree> {
  if (at instanceof Uint8Array) {
    yield new Uint8Array(SIZE)
    if (at.length > 0) yield Buffer.alloc(SIZE - (SIZE % at.length), at)
    return
  }
  if (!isList(at)) return
  const [first = []] = at
  for (const item of [[], new Uint8Array(0), hollow(first, false), hollow(first, true), first]) {
    yield new Items([], item)
    yield new Items(at, item)
  }
}
