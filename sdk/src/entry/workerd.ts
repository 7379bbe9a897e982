/**
 * Entry for Cloudflare Workers, which may not compile bytes: imports the wasm as modules, which the
 * bundler compiles.
 */

import '../wasm/fromModules.js'

export * from './index.js'
