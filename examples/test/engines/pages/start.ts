/** Starts a shipped module beside its glue. */

/** What the glue of a module exports to start it. */
interface Glue {
  imports(): WebAssembly.Imports
  use(exports: WebAssembly.Exports): void
}

/** Fetches a module of the package and starts it. */
export async function start(glue: object, name: string): Promise<void> {
  const response = await fetch(new URL(`../generated/${name}_bg.wasm`, import.meta.url))
  const { imports, use } = glue as Glue
  const bytes = await response.arrayBuffer()
  const { exports } = (await WebAssembly.instantiate(bytes, imports())).instance
  use(exports)
  Reflect.apply(exports['__wbindgen_start'] as () => void, undefined, [])
}
