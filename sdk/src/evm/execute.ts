/**
 * Calls as a job: the module `evm` runs them, and the modules of the curves run what it has no code
 * for.
 */

import type { WasmModule } from '../wasm/instance.js'
import { type CallsModule, type CurvesHost, loadModule, run } from '../wasm/module.js'

/** A job. */
export type EvmJob =
  /**
   * Calls on proven state: RLP of the chain, of its table of forks, and of the calls with their
   * witness.
   */
  | {
      readonly kind: 'calls'
      readonly chain: Uint8Array
      readonly forks: Uint8Array
      readonly request: Uint8Array
    }
  /**
   * Who signed: of each hash, v, r, s, 32 bytes each. In return JSON, of each the 32 bytes, or none
   * for nobody.
   */
  | { readonly kind: 'recover'; readonly inputs: readonly Uint8Array[] }

/** The modules that hold the precompiled contracts on curves. */
type CurveModule = 'bn254' | 'bls12_381'

/** What such a module exports for it. */
interface Precompiles extends WasmModule {
  /** One and the output; zero if it fails; nothing if it is not there. */
  precompile(number: number, input: Uint8Array): Uint8Array
}

/** secp256r1's is in the module `bn254`, which has room for it. */
const P256 = 0x100

/**
 * Runs precompiled contracts in the modules that were loaded for it, and notes those that should
 * be.
 */
export class Curves implements CurvesHost {
  readonly #loaded = new Map<CurveModule, Precompiles>()
  readonly #wanted = new Set<CurveModule>()

  precompile(number: number, input: Uint8Array): Uint8Array {
    const name = number <= 8 || number === P256 ? 'bn254' : 'bls12_381'
    const module = this.#loaded.get(name)
    if (module === undefined) {
      this.#wanted.add(name)
      return new Uint8Array()
    }
    try {
      return run(module, () => module.precompile(number, input))
    } catch (cause) {
      // Through the frames of the caller: an error that has it replaced, too.
      throw new Error('precompile failed', { cause })
    }
  }

  /**
   * Loads what was wanted.
   *
   * @returns whether anything was.
   * @throws PlatformError
   */
  async load(): Promise<boolean> {
    const wanted = [...this.#wanted]
    this.#wanted.clear()
    for (const name of wanted) {
      // Sound: the two modules export it.
      this.#loaded.set(name, (await loadModule(name)) as unknown as Precompiles)
    }
    return wanted.length > 0
  }
}

/** Shared by all jobs, so that each module is loaded once. */
const curves = new Curves()

/**
 * Runs calls, or recovers who signed.
 *
 * @throws PlatformError
 */
export async function execute(job: EvmJob): Promise<string | Uint8Array> {
  const evm = (await loadModule('evm')) as WasmModule & CallsModule
  if (job.kind === 'recover') {
    return JSON.stringify(job.inputs.map((input) => [...run(evm, () => evm.recover(input))]))
  }
  for (;;) {
    const answers = run(evm, () => evm.calls(job.chain, job.forks, job.request, curves))
    if (!(await curves.load())) return answers
  }
}
