/**
 * Checks a proof file by a module that tells its steps: the shipped verifiers' code, built once
 * more to report.
 */

import { encodeChain } from '../encoding/chain.js'
import { bytesOf, isBytes } from '../encoding/hex.js'
import { parseOptions, shown } from '../encoding/input.js'
import { encodeRlp, name } from '../encoding/rlp.js'
import { asBytes, asInteger, asRecord } from '../encoding/untrusted.js'
import { type ParsedFile, parseFile } from '../proving/readFile.js'
import { type Rejected, rejection } from '../proving/rejection.js'
import { encodeClaim, freshBytes, type Source } from '../proving/verifier.js'
import { InputError } from '../result/errors.js'
import type { WasmModule } from '../wasm/instance.js'
import { run } from '../wasm/module.js'
import { loadPart } from '../wasm/part.js'
import { countsOf } from './counts.js'
import { loadTracer, TRACERS } from './load.js'
import type { Step, Trace, TraceOptions, Verdict } from './types.js'

/** A verifier that tells its steps. */
interface Verifier {
  trace(claims: Uint8Array, fresh: Uint8Array): string
  free(): void
}

/**
 * Checks a proof file under its own root and tells the steps. It shows how; trust comes from
 * `verifyProofFile` alone, which takes the root from its caller.
 *
 * @param file - a `ProofFile`, honest or not, from `JSON.parse` or `fetchProof`.
 * @returns the verdict, with all steps up to it; a false proof is a verdict too.
 * @throws ProofError `decode.response` if it is no such file; InputError if the core refuses its
 *   chain, configuration or parameters; PlatformError.
 */
export async function traceProofFile(file: unknown, options: TraceOptions = {}): Promise<Trace> {
  const { params, wasm } = parseTraceOptions(options)
  const { systems } = await loadPart(() => import('../systems/registry.js'))
  const parsed = parseFile(file, systems)
  const { system, variant, query, proof } = parsed
  const glue = await loadTracer(TRACERS[system.module], wasm)
  const claim = { source: sourceOf(parsed, file), query, variant, proof }
  const verifier = verifierOf(glue, parsed, params)
  try {
    const claims = encodeRlp([encodeClaim(claim)])
    const text = run(glue, () => verifier.trace(claims, freshBytes()))
    const { verdicts, omitted, steps } = JSON.parse(text) as Told
    const [verdict] = verdicts
    if (verdict === undefined) throw rejection(undefined)
    const counts = countsOf(steps, omitted)
    return { system: system.name, variant, proof, verdict, steps, counts }
  } finally {
    verifier.free()
  }
}

/** What a traced call answers. */
interface Told {
  readonly verdicts: readonly Verdict[]
  readonly omitted: number
  readonly steps: readonly Step[]
}

/** Checks a caller's options. */
export function parseTraceOptions(options: TraceOptions): TraceOptions {
  const { params, wasm } = parseOptions(options, 'options', ['params', 'wasm'])
  if (params !== undefined && !isBytes(params)) {
    throw new InputError('input.option', 'params', `expected bytes, got ${shown(params)}`)
  }
  return {
    ...(params === undefined ? {} : { params }),
    // Anything that is not a module fails to compile.
    ...(wasm === undefined ? {} : { wasm: wasm as NonNullable<TraceOptions['wasm']> }),
  }
}

/** The file's own root: a trace shows how a proof is checked, and makes no trust. */
function sourceOf({ headers }: ParsedFile, file: unknown): Source {
  if (headers !== undefined) {
    return { kind: 'header', hash: bytesOf(headers.hash), rlps: headers.rlps }
  }
  const source = asRecord(asRecord(file, 'file')['source'], 'source')
  const root = asRecord(source['root'], 'source.root')
  const number = asInteger(root['number'], 'source.root.number')
  return { kind: 'root', number, root: asBytes(root['bytes'], 'source.root.bytes') }
}

function verifierOf(
  glue: WasmModule,
  { system, chain, config }: ParsedFile,
  given?: Uint8Array,
): Verifier {
  // Sound: the generated module exports a class of this name.
  const Made = glue[system.verifier] as new (
    chain: Uint8Array,
    config: Uint8Array,
    params: Uint8Array,
  ) => Verifier
  const { format, paramsDigest = '0x', params = '0x' } = config
  const form = encodeRlp([name(format), bytesOf(paramsDigest)])
  try {
    return run(glue, () => new Made(encodeChain(chain), form, given ?? bytesOf(params)))
  } catch (error) {
    // Constructors throw their refusal as text.
    if (typeof error !== 'string') throw error
    throw rejection(JSON.parse(error) as Rejected)
  }
}
