/** Our module as it is shipped, called as the SDK calls it: bytes in, verdict out. */

import { readFile } from 'node:fs/promises'
import { claimOf } from '../lib/record.mjs'

/** @typedef {import('../lib/types.js').Fact} Fact */

/** Stands in for 32 random bytes: what is drawn does not change the work. */
const FRESH = new Uint8Array(32).fill(7)

/**
 * The module lies below the published entry, so it is reached by path: what is measured here is not what a user imports.
 *
 * @returns {Promise<WasmModule>}
 */
async function load() {
  const entry = import.meta.resolve('lightproof')
  const glue = await import(new URL('../generated/hash.js', entry).href)
  const wasm = await readFile(new URL('../generated/hash_bg.wasm', entry))
  await glue.default({ module_or_path: wasm })
  return glue
}

/** @typedef {new (chain: Uint8Array, config: Uint8Array, params: Uint8Array) => Verifier} VerifierClass */
/** @typedef {{ LmptVerifier: VerifierClass, MptVerifier: VerifierClass }} WasmModule */
/** @typedef {{ verify(claims: Uint8Array, fresh: Uint8Array): string }} Verifier */

/**
 * @typedef {object} Proven
 * @property {{ status: 'present', nonce: string, balance: string, storageHash: string, codeHash: string } | { status: 'absent' }} account
 * @property {{ value?: string }[]} slots
 */

/** @type {import('../lib/types.js').Engine} */
export const engine = {
  id: 'lightproof-wasm',
  title: 'lightproof, wasm',
  async prepare({ record }) {
    const { LmptVerifier, MptVerifier } = await load()
    const { chain, config, claims } = claimOf(record)
    const Verifier = record.system === 'lmpt' ? LmptVerifier : MptVerifier
    const verifier = new Verifier(chain, config, new Uint8Array(0))
    return () => {
      const [verdict] = JSON.parse(verifier.verify(claims, FRESH))
      if (verdict.status !== 'proven') throw new Error(verdict.code)
      return verdict.fact
    }
  },
  fact(result) {
    // The check above returned what the core proved, whose form the contract with the core fixes.
    const { account, slots, values } = /** @type {Proven & { values?: object[] }} */ (result)
    if (values !== undefined) return values
    return { account: accountOf(account), slots: slots.map(({ value }) => BigInt(value ?? 0)) }
  },
}

/**
 * @param {Proven['account']} account
 * @returns {Fact['account']}
 */
function accountOf(account) {
  if (account.status === 'absent') return null
  const { nonce, balance, storageHash, codeHash } = account
  return { nonce: BigInt(nonce), balance: BigInt(balance), storageHash, codeHash }
}
