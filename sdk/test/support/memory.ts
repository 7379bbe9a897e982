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
export type Tree = Uint8Array | Items | readonly Tree[]

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
  yield { at: tree, put, kind }
  if (tree instanceof Uint8Array || tree instanceof Items) return
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
  tree instanceof Uint8Array || tree instanceof Items
    ? new Uint8Array(0)
    : tree.map((inner, i) => {
        if (!(inner instanceof Uint8Array)) return []
        return keep && i === 0 ? inner : new Uint8Array(0)
      })

/** A list whose items are encoded: half a million of them are not to be encoded one by one. */
export class Items {
  readonly bytes: Uint8Array
  constructor(before: readonly Tree[], item: Tree) {
    const one = encode(item)
    const many = Buffer.alloc(Math.ceil(SIZE / one.length) * one.length, one)
    this.bytes = Buffer.concat([...before.map(encode), many])
  }
}

export function encode(tree: Tree): Uint8Array {
  if (tree instanceof Uint8Array && tree.length === 1 && (tree[0] ?? 0) < 0x80) return tree
  const isString = tree instanceof Uint8Array
  const isMade = tree instanceof Items
  const body = isString ? tree : isMade ? tree.bytes : Buffer.concat(tree.map(encode))
  const base = isString ? 0x80 : 0xc0
  if (body.length < 56) return Buffer.concat([Uint8Array.of(base + body.length), body])
  const digits = integer(BigInt(body.length))
  return Buffer.concat([Uint8Array.of(base + 55 + digits.length), digits, body])
}

/**
 * Lists of about {@link SIZE} bytes of a list's own first item, which go furthest through a check.
 */
export function* repeated(at: Tree): Generator<Tree> {
  if (at instanceof Uint8Array || at instanceof Items) return
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
  if (at instanceof Items) return
  const [first = []] = at
  for (const item of [[], new Uint8Array(0), hollow(first, false), hollow(first, true), first]) {
    yield new Items([], item)
    yield new Items(at, item)
  }
}
