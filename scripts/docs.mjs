#!/usr/bin/env node
/**
 * The documentation's site: serves it, and loads pages again when their files change (`npm run
 * docs`), or builds it.
 *
 *   node scripts/docs.mjs [--build]
 *
 * Guides, specification, the reference of the SDK below /api, the proof explorer below /explorer.
 */
import { watch } from 'node:fs'
import path from 'node:path'
import { asProgram, flags } from './lib/program.mjs'
import { at } from './lib/repo.mjs'
import { assemble, buildSite, SITE, vitepress, writePages } from './lib/site.mjs'
import { step } from './lib/steps.mjs'
import { setup } from './setup.mjs'

/** Editors write a file in several steps. */
const SETTLED_MS = 100

/** Serves the site until it is interrupted. */
async function serve() {
  assemble()
  const folders = new Set(writePages().map((file) => path.dirname(file)))
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  for (const folder of folders) {
    watch(at(folder), () => {
      clearTimeout(timer)
      timer = setTimeout(writePages, SETTLED_MS)
    })
  }
  await vitepress(['dev', '.'], console.log)
}

await asProgram(import.meta.url, async () => {
  const { build } = flags('npm run docs [-- --build]', { build: { type: 'boolean' } })
  await setup(['api', 'examples'])
  if (!build) return serve()
  await step('site', buildSite)
  console.log(`\n${path.relative(process.cwd(), SITE)}: plain files for any static server.`)
})
