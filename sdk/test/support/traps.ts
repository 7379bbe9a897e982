/** Makes the wasm modules trap. To be imported before any module is loaded. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const memories: { readonly wasm: WeakRef<object>; readonly memory: WeakRef<WebAssembly.Memory> }[] =
  []

function note<T extends WebAssembly.Instance>(instance: T): T {
  const { memory } = instance.exports
  if (!(memory instanceof WebAssembly.Memory)) throw new Error('no memory')
  memories.push({ wasm: new WeakRef(instance.exports), memory: new WeakRef(memory) })
  return instance
}

const { instantiate, Instance } = WebAssembly
Object.assign(WebAssembly, {
  instantiate: async (source: WebAssembly.Module, imports: WebAssembly.Imports) => {
    // Of bytes it makes both.
    const made: object = await instantiate(source, imports)
    note(
      'instance' in made ? (made.instance as WebAssembly.Instance) : (made as WebAssembly.Instance),
    )
    return made
  },
  Instance: class extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports)
      note(this)
    }
  },
})

/** How many instances were made that export this. */
export function instancesWith(name: string): number {
  return memories.filter(({ wasm }) => name in (wasm.deref() ?? {})).length
}

/** Overwrites the memory of the instances that export this: whatever they are asked next traps. */
export function poison(name: string): void {
  for (const { wasm, memory } of memories) {
    const known = memory.deref()
    if (known !== undefined && name in (wasm.deref() ?? {})) {
      new Uint8Array(known.buffer).fill(0xff)
    }
  }
}

/** How many instances' memories are still held, after garbage collection. */
export async function memoriesHeld(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let rounds = 0; rounds < 5; rounds++) {
    // What was read through a WeakRef is held until the task ends.
    await new Promise((resolve) => setTimeout(resolve, 10))
    collect()
  }
  return memories.filter(({ memory }) => memory.deref() !== undefined).length
}

/**
 * The module with no more memory than so many pages of 64 KiB: its real want of memory is a trap as
 * well.
 */
export function limited(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(wasm)
  // The memory section: one memory, without a maximum, of 17 pages.
  const at = bytes.indexOf(Buffer.from([5, 3, 1, 0, 17]))
  if (at < 0) throw new Error('the module has another memory')
  const section = Buffer.from([5, 4, 1, 1, 17, pages])
  return new Uint8Array(Buffer.concat([bytes.subarray(0, at), section, bytes.subarray(at + 5)]))
}
