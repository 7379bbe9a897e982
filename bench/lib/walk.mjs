/**
 * A straightforward walk down a Merkle Patricia proof, as an application writes it on top of a
 * library's keccak and RLP. It hashes every node, follows the key, and throws on a proof that stops
 * early or goes on too long; it does not check that nodes are canonical.
 */

/**
 * What the walk takes from a library. `T` is the library's own form of bytes, so that none pays for
 * conversions.
 *
 * @template T
 * @typedef {object} Kit
 * @property {(bytes: Uint8Array) => T} keccak
 * @property {(node: Uint8Array) => Nested<T>} decode RLP
 * @property {(value: T) => Nested<T>} decodeValue RLP inside RLP
 * @property {(bytes: T) => Uint8Array} toBytes
 * @property {(a: T, b: T) => boolean} equal
 * @property {(bytes: T) => number} size
 */

/**
 * @template T
 * @typedef {import('./types.js').Nested<T>} Nested
 */

/**
 * @template T
 * @typedef {{ done: true, value: T | undefined } | { done: false, hash: T, at: number }} Step
 */

const EMPTY_ROOT = '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/**
 * The value that the trie holds under the hashed key, undefined if it is proven absent.
 *
 * @template T
 * @param {Kit<T>} kit
 * @param {T} root
 * @param {Uint8Array} key
 * @param {readonly Uint8Array[]} nodes
 * @returns {T | undefined}
 */
function walk(kit, root, key, nodes) {
  const path = nibbles(kit.toBytes(kit.keccak(key)))
  if (nodes.length === 0 && Buffer.from(kit.toBytes(root)).toString('hex') === EMPTY_ROOT) {
    return undefined
  }
  let hash = root
  let at = 0
  for (const [i, node] of nodes.entries()) {
    if (!kit.equal(kit.keccak(node), hash))
      throw new Error(`node ${i} does not hash to its reference`)
    const next = descend(kit, kit.decode(node), path, at)
    if (next.done) {
      if (i !== nodes.length - 1) throw new Error('the proof goes on too long')
      return next.value
    }
    hash = next.hash
    at = next.at
  }
  throw new Error('the proof stops early')
}

/**
 * Follows the key through a node, and through those embedded in it.
 *
 * @template T
 * @param {Kit<T>} kit
 * @param {Nested<T>} node
 * @param {readonly number[]} path
 * @param {number} at
 * @returns {Step<T>}
 */
function descend(kit, node, path, at) {
  const items = list(node)
  if (items.length === 17) return follow(kit, items[path[at] ?? 16], path, at + 1)
  const [prefix, child] = items
  if (items.length !== 2 || prefix === undefined || isList(prefix)) throw new Error('no trie node')
  const { isLeaf, nibbles: part } = hexPrefix(kit.toBytes(prefix))
  const matches = part.every((nibble, i) => nibble === path[at + i])
  if (!matches) return { done: true, value: undefined }
  if (!isLeaf) return follow(kit, child, path, at + part.length)
  if (child === undefined || isList(child)) throw new Error('a leaf without value')
  return { done: true, value: at + part.length === path.length ? child : undefined }
}

/**
 * @template T
 * @param {Kit<T>} kit
 * @param {Nested<T> | undefined} child
 * @param {readonly number[]} path
 * @param {number} at
 * @returns {Step<T>}
 */
function follow(kit, child, path, at) {
  if (child === undefined) throw new Error('no such child')
  if (isList(child)) return descend(kit, child, path, at)
  if (kit.size(child) === 0) return { done: true, value: undefined }
  return { done: false, hash: child, at }
}

/** @param {Uint8Array} bytes */
function hexPrefix(bytes) {
  const all = nibbles(bytes)
  const flag = all[0] ?? 0
  return { isLeaf: flag >= 2, nibbles: all.slice(flag % 2 === 1 ? 1 : 2) }
}

/** @param {Uint8Array} bytes */
function nibbles(bytes) {
  const out = []
  for (const byte of bytes) out.push(byte >> 4, byte & 15)
  return out
}

/**
 * @template T
 * @param {Nested<T>} item
 * @returns {item is readonly Nested<T>[]}
 */
function isList(item) {
  return Array.isArray(item)
}

/**
 * @template T
 * @param {Nested<T>} item
 */
function list(item) {
  if (!isList(item)) throw new Error('expected a list')
  return item
}

/**
 * Account and slots, walked under the state root and under the proven storage root.
 *
 * @template T
 * @param {Kit<T>} kit
 * @param {import('./types.js').ProofParts} parts
 * @param {T} root
 */
export function walkAll(kit, { address, accountProof, slots }, root) {
  const leaf = walk(kit, root, address, accountProof)
  if (leaf === undefined) return { account: undefined, slots: slots.map(() => undefined) }
  const fields = list(kit.decodeValue(leaf))
  const [nonce, balance, storageRoot, codeHash] = fields
  if (
    nonce === undefined ||
    balance === undefined ||
    storageRoot === undefined ||
    codeHash === undefined ||
    isList(nonce) ||
    isList(balance) ||
    isList(storageRoot) ||
    isList(codeHash)
  ) {
    throw new Error('no account')
  }
  const values = slots.map(({ key, proof }) => {
    const value = walk(kit, storageRoot, key, proof)
    return value === undefined ? undefined : text(kit.decodeValue(value))
  })
  return { account: { nonce, balance, storageRoot, codeHash }, slots: values }
}

/**
 * @template T
 * @param {Nested<T>} item
 */
function text(item) {
  if (isList(item)) throw new Error('expected a string')
  return item
}

/**
 * The result of {@link walkAll} in the form that all engines share.
 *
 * @template T
 * @param {Kit<T>} kit
 * @param {ReturnType<typeof walkAll<T>>} result
 * @returns {import('./types.js').Fact}
 */
export function walkedFact(kit, { account, slots }) {
  const hex = (/** @type {T} */ value) => Buffer.from(kit.toBytes(value)).toString('hex')
  const integer = (/** @type {T | undefined} */ value) =>
    value === undefined || kit.size(value) === 0 ? 0n : BigInt(`0x${hex(value)}`)
  return {
    account:
      account === undefined
        ? null
        : {
            nonce: integer(account.nonce),
            balance: integer(account.balance),
            storageHash: `0x${hex(account.storageRoot)}`,
            codeHash: `0x${hex(account.codeHash)}`,
          },
    slots: slots.map(integer),
  }
}
