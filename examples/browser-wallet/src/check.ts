/** The light client at work: a question in, one of six outcomes out. Loaded when it is first needed. */

import {
  type Account,
  type Chain,
  createClient,
  devnet,
  fetchProof,
  hoodi,
  InputError,
  mainnet,
  PlatformError,
  ProofError,
  type ProofFile,
  sepolia,
  setWasm,
  type Trust,
  UnavailableError,
  verifyProofFile,
} from 'lightproof'
import wasm from 'lightproof/hash.wasm'
import type { FieldName, Settings } from './settings.js'

// esbuild copies the file into dist/ and gives its name, relative to this module.
setWasm({ hash: new URL(wasm, import.meta.url) })

/** What the page can say about a proven fact. */
export interface Grounds {
  readonly trust: Trust
  readonly servedBy: string
  /** Header and proof, as the node sent them. */
  readonly proofBytes: number
  /** The check alone, without the network. */
  readonly verifyMilliseconds: number
}

/** How a question ended. */
export type Outcome =
  | {
      readonly state: 'proven'
      readonly address: string
      readonly account: Account
      readonly grounds: Grounds
      readonly file: ProofFile
    }
  | {
      readonly state: 'absent'
      readonly address: string
      readonly grounds: Grounds
      readonly file: ProofFile
    }
  | { readonly state: 'lying'; readonly error: ProofError }
  | { readonly state: 'unavailable'; readonly error: UnavailableError }
  | { readonly state: 'platform'; readonly code: string; readonly problem: string }
  | { readonly state: 'input'; readonly field: FieldName; readonly problem: string }

/**
 * Asks the node for the account and checks its proof against the trusted block.
 *
 * @throws the reason of `signal` when it is aborted.
 */
export async function check(settings: Settings, signal: AbortSignal): Promise<Outcome> {
  try {
    const chain = chainOf(settings)
    const anchor = { block: settings.anchor }
    const client = createClient({ chain, anchor, nodes: [settings.node] })
    const file = await fetchProof(client, { address: settings.address, signal })
    const started = performance.now()
    const result = await verifyProofFile(file, { chain, anchor })
    const verifyMilliseconds = performance.now() - started
    if (result.status === 'invalid') return { state: 'lying', error: result.error }
    const grounds = {
      trust: result.trust,
      servedBy: file.meta?.servedBy ?? settings.node,
      proofBytes: bytesIn(file),
      verifyMilliseconds,
    }
    const { address } = settings
    const account = result.value?.account ?? null
    return account === null
      ? { state: 'absent', address, grounds, file }
      : { state: 'proven', address, account, grounds, file }
  } catch (error) {
    return outcomeOf(error)
  }
}

function chainOf({ chain, genesis }: Settings): Chain {
  const known: Readonly<Record<string, Chain>> = { mainnet, sepolia, hoodi }
  if (chain === 'devnet') return devnet(genesis)
  const found = known[chain]
  if (found === undefined) {
    throw new InputError('input.chain', 'chain', `no chain is called "${chain}"`)
  }
  return found
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ProofError) return { state: 'lying', error }
  if (error instanceof UnavailableError) return { state: 'unavailable', error }
  if (error instanceof PlatformError) {
    return { state: 'platform', code: error.code, problem: error.message }
  }
  if (error instanceof InputError) {
    const field = fieldOf(error.argument)
    return { state: 'input', field, problem: error.message.replace(`${error.argument}: `, '') }
  }
  throw error
}

/** The form's field behind an argument of the client, such as `nodes[0]` or `anchor.block`. */
function fieldOf(argument: string): FieldName {
  if (argument.startsWith('nodes')) return 'node'
  if (argument.startsWith('anchor')) return 'anchor'
  if (argument.endsWith('genesisHash')) return 'genesis'
  return argument.startsWith('chain') ? 'chain' : 'address'
}

function bytesIn({ source, proof }: ProofFile): number {
  const headers = 'header' in source ? source.header.rlps : []
  return [...headers, proof].reduce((sum, hex) => sum + (hex.length - 2) / 2, 0)
}
