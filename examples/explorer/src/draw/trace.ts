/** Runs a check once more, by the module that tells its steps. Loaded with the first drawing. */

import type { ProofFile, SystemName } from 'lightproof'
import { type HeadersTrace, type Trace, traceHeaders, traceProofFile } from 'lightproof/trace'
import bls12_381 from 'lightproof/trace_bls12_381.wasm'
import bn254 from 'lightproof/trace_bn254.wasm'
import hash from 'lightproof/trace_hash.wasm'
import type { Trail } from '../check/check.js'

const MODULES: Readonly<Record<SystemName, string>> = {
  mpt: hash,
  body: hash,
  lmpt: hash,
  cole: hash,
  lvmt: bn254,
  verkle: bls12_381,
  balanceproofs: bls12_381,
}

const loading = new Map<string, Promise<ArrayBuffer>>()

/** The steps of a file's check. @throws where the file is no proof file. */
export async function traceOf(file: ProofFile): Promise<Trace> {
  if (!Object.hasOwn(MODULES, file.system)) throw new TypeError('a file of no system')
  return traceProofFile(file, { wasm: await load(MODULES[file.system]) })
}

/** The steps of signed headers, as a light client checks them. */
export async function traceOfHeaders({ chain, proofs }: Trail): Promise<HeadersTrace> {
  return traceHeaders(chain, proofs, { wasm: await load(bls12_381) })
}

function load(name: string): Promise<ArrayBuffer> {
  const known = loading.get(name)
  if (known !== undefined) return known
  const fetched = fetch(new URL(name, import.meta.url)).then((response) => {
    if (!response.ok) throw new Error(`${name}: ${response.status}`)
    return response.arrayBuffer()
  })
  loading.set(name, fetched)
  return fetched
}
