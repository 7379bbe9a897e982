/** Which block vouches for the headers of a file. */

import type { Chain } from '../client/chains.js'
import { bytesOf } from '../encoding/hex.js'
import type { Hash } from '../encoding/input.js'
import { malformed } from '../encoding/untrusted.js'
import { ProofError } from '../result/errors.js'
import { askHash, hashIn, MAX_LEAPS } from '../systems/ancestors.js'
import { defaultConfig, defaultSystem } from '../systems/default.js'
import type { Header } from './header.js'
import { type FileHeaders, parseInner } from './readFile.js'
import { setUp } from './setup.js'
import { linkHeaders, verifyClaim } from './verifier.js'

/**
 * Links the headers of a file to the block that its reader trusts: they start from that block, or
 * from one whose hash is proven under a newer one that does.
 *
 * @returns the trusted block's header, and those of the file.
 * @throws ProofError `verify.header` if they do not follow from it; `decode.*`; PlatformError.
 */
export async function linkFile(
  chain: Chain,
  trusted: Hash,
  { hash, rlps, by }: FileHeaders,
  leaps: number = MAX_LEAPS,
): Promise<{ readonly first: Header | undefined; readonly headers: readonly Header[] }> {
  if (by === undefined) {
    if (hash !== trusted) {
      const problem = `the file starts from block ${hash}, but anchor.block, which you trust, is ${trusted}`
      throw new ProofError('verify.header', problem)
    }
    const headers = await linkHeaders(chain, hash, rlps)
    return { first: headers[0], headers }
  }
  if (leaps === 0) throw malformed('source.header.by', `at most ${MAX_LEAPS} proofs in each other`)
  if (chain.kind !== 'ethereum') throw malformed('source.header.by', 'nothing on such a chain')
  const file = parseInner(by, [defaultSystem], 'source.header.by')
  if (file.headers === undefined) throw malformed('source.header.by.source', 'headers')
  // First, so that nothing is hashed of a file that starts elsewhere.
  const { first } = await linkFile(chain, trusted, file.headers, leaps - 1)
  // The number of the first header says in which slot its hash must be.
  const headers = await linkHeaders(chain, hash, rlps)
  const setup = await setUp(chain, defaultSystem, defaultConfig)
  const source = {
    kind: 'header',
    hash: bytesOf(file.headers.hash),
    rlps: file.headers.rlps,
  } as const
  const { query } = askHash(headers[0]?.number ?? 0n)
  const { fact } = await verifyClaim(setup, { source, query, variant: 'plain', proof: file.proof })
  if (hashIn(fact) === hash) return { first, headers }
  const problem = `the file does not prove that ${hash} is the hash of a block before the trusted one`
  throw new ProofError('verify.header', problem)
}
