#!/usr/bin/env node
/**
 * Writes bills of materials in CycloneDX (`npm run sbom`), the same bytes for the same lock files:
 * `npm.cdx.json` of the SDK's package, `wasm.cdx.json` and `node.cdx.json` of the crates in its
 * WebAssembly and in the full node.
 *
 *   node scripts/sbom.mjs [--out DIR]     default .cache/sbom
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cratesOf } from './lib/crates.mjs'
import { asProgram, flags } from './lib/program.mjs'
import { at, readJson } from './lib/repo.mjs'
import { run } from './lib/run.mjs'

const VERSION = '1.5'

/**
 * Of a program's crates.
 *
 * @param {'wasm' | 'node'} program
 */
async function ofCrates(program) {
  const { version } = readJson('package.json')
  const components = (await cratesOf(program)).map((crate) => ({
    type: 'library',
    name: crate.name,
    version: crate.version,
    purl: `pkg:cargo/${crate.name}@${crate.version}`,
    'bom-ref': `pkg:cargo/${crate.name}@${crate.version}`,
    hashes: [{ alg: 'SHA-256', content: crate.checksum }],
    licenses: [{ expression: crate.license.replaceAll(/ ?\/ ?/g, ' OR ') }],
  }))
  const component = { type: 'application', name: `lightproof-${program}`, version }
  return {
    bomFormat: 'CycloneDX',
    specVersion: VERSION,
    version: 1,
    metadata: { component },
    components,
  }
}

/** Of the SDK's package, by npm; without what differs in every run. */
async function ofPackage() {
  const options = ['--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev']
  const text = await run('npm', ['sbom', ...options, '--workspace', 'lightproof'])
  const { serialNumber: _, metadata, ...rest } = JSON.parse(text)
  const { timestamp: __, tools: ___, ...lasting } = metadata
  return { ...rest, metadata: lasting }
}

await asProgram(import.meta.url, async () => {
  const { out } = flags('node scripts/sbom.mjs [--out DIR]', { out: { type: 'string' } })
  const dir = out === undefined ? at('.cache', 'sbom') : path.resolve(String(out))
  mkdirSync(dir, { recursive: true })
  const all = { npm: ofPackage, wasm: () => ofCrates('wasm'), node: () => ofCrates('node') }
  for (const [name, make] of Object.entries(all)) {
    const bom = await make()
    const file = path.join(dir, `${name}.cdx.json`)
    writeFileSync(file, `${JSON.stringify(bom, undefined, 2)}\n`)
    console.log(`${file}: ${bom.components.length} components`)
  }
})
