/** Our module as it is shipped, called as the SDK calls it: bytes in, verdict out. */

import { startModule } from '../lib/glue.mjs'
import { claimOf } from '../lib/record.mjs'
import { fromHex, toHex } from '../lib/rlp.mjs'

/** @typedef {import('../lib/types.js').Fact} Fact */

/** Where a system's verifier is: the module, and the class in it. @type {Readonly<Record<string, readonly ['mpt' | 'hash', string]>>} */
const VERIFIERS = { mpt: ['mpt', 'MptVerifier'], lmpt: ['hash', 'LmptVerifier'] }

/** Stands in for 32 random bytes: what is drawn does not change the work. */
const FRESH = new Uint8Array(32).fill(7)

/** @typedef {new (chain: Uint8Array, config: Uint8Array, params: Uint8Array) => Verifier} VerifierClass */
/** @typedef {{ verify(claims: Uint8Array, fresh: Uint8Array): string }} Verifier */

/**
 * @typedef {object} Proven
 * @property {{ status: 'present', nonce: string, balance: string, storageHash: string, codeHash: string } | { status: 'absent' }} account
 * @property {{ value?: string }[]} slots
 */

/**
 * What a case asks of our module.
 *
 * @param {import('../lib/types.js').BenchCase} bench
 * @returns {import('../browser/types.js').ProofQuestion}
 */
export function questionOf({ record }) {
  const known = VERIFIERS[record.system]
  if (known === undefined) throw new Error(`no verifier of ${record.system}`)
  const [module, verifier] = known
  const { chain, config, claims } = claimOf(record)
  return {
    ...{ kind: 'proof', module, verifier, isCombined: false },
    ...{ chain: toHex(chain), config: toHex(config), params: '0x', claims: toHex(claims) },
  }
}

/** @type {import('../lib/types.js').Engine} */
export const engine = {
  id: 'lightproof-wasm',
  title: 'lightproof, wasm',
  async prepare(bench) {
    const { module, verifier: name, chain, config, ...asked } = questionOf(bench)
    const { [name]: Verifier } = await startModule(module)
    if (Verifier === undefined) throw new Error(`${module} has no ${name}`)
    const verifier = new Verifier(fromHex(chain), fromHex(config), new Uint8Array(0))
    const claims = fromHex(asked.claims)
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
