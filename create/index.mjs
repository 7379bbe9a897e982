#!/usr/bin/env node
// Copies a template into a new folder: npm create lightproof FOLDER -- --template NAME
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const TEMPLATES = fileURLToPath(new URL('templates', import.meta.url))
/** What is still to be done, after the packages are installed. */
const NEXT = {
  wallet: ['put your checkpoint and nodes in src/config.ts', 'npm start'],
  script: ['node prove.mjs --help'],
  extension: [
    'put your checkpoint and nodes in src/config.ts, the nodes in src/manifest.json too',
    'npm run build, and load dist/ unpacked in chrome://extensions',
  ],
}

class UsageError extends Error {}

/** @param {string[]} args */
function parse(args) {
  const names = readdirSync(TEMPLATES).sort()
  const usage = `npm create lightproof FOLDER -- --template ${names.join('|')}`
  try {
    const options = /** @type {const} */ ({ template: { type: 'string' } })
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [folder] = positionals
    if (folder === undefined || positionals.length > 1) throw new UsageError('expected one folder')
    if (values.template === undefined) throw new UsageError('--template is missing')
    if (!names.includes(values.template)) {
      throw new UsageError(
        `--template: expected ${names.join(', ')}, got ${JSON.stringify(values.template)}`,
      )
    }
    return { folder, template: values.template }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${reason}\nusage: ${usage}`, { cause: error })
  }
}

/**
 * A name that npm takes, from a folder's.
 *
 * @param {string} folder
 */
function packageName(folder) {
  const name = path.basename(path.resolve(folder)).toLowerCase()
  return name.replace(/[^a-z0-9._-]+/g, '-').replace(/^[._-]+/, '') || 'my-app'
}

/** @param {string[]} args */
function main(args) {
  const { folder, template } = parse(args)
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new UsageError(`${folder} is not empty: name a folder that is empty or missing`)
  }
  cpSync(path.join(TEMPLATES, template), folder, { recursive: true })
  // npm leaves files of this name out of packages.
  renameSync(path.join(folder, 'gitignore'), path.join(folder, '.gitignore'))
  const file = path.join(folder, 'package.json')
  const manifest = { ...JSON.parse(readFileSync(file, 'utf8')), name: packageName(folder) }
  writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`)
  const steps = [`cd ${folder}`, 'npm install', ...(NEXT[template] ?? [])]
  console.log(`Created ${folder} from the template ${template}. Next:\n`)
  for (const step of steps) console.log(`  ${step}`)
}

try {
  main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
