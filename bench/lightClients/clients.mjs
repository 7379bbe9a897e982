/** The light clients that are compared, and what of each is measured. */
import { at, readJson } from '../../scripts/lib/repo.mjs'

const peer = (/** @type {string[]} */ ...parts) => at('bench', 'peers', ...parts)
const installed = (/** @type {string} */ name) => peer('node_modules', ...name.split('/'))
/** @param {string} name */
function titled(name) {
  return `${name} ${readJson('bench', 'peers', 'package.json').dependencies[name]}`
}

/**
 * @typedef {object} LightClient
 * @property {string} id
 * @property {string} title with its version
 * @property {string} file the program that starts it, in Node.js
 * @property {string} [page] the same for browsers, if it is another
 * @property {readonly [from: string, to: string][]} assets what a page loads by URL
 * @property {string} [unproven] why its first proof is not measured
 */

/** @type {readonly LightClient[]} */
export const CLIENTS = [
  {
    id: 'lightproof',
    title: `lightproof ${readJson('sdk', 'package.json').version}`,
    file: at('bench', 'lightClients', 'ours.mjs'),
    assets: ['mpt', 'light'].map((name) => [
      at('sdk', 'dist', 'generated', `${name}_bg.wasm`),
      `generated/${name}_bg.wasm`,
    ]),
  },
  {
    id: 'colibri',
    title: titled('@corpus-core/colibri-stateless'),
    file: peer('ready', 'colibri.mjs'),
    assets: [[`${installed('@corpus-core/colibri-stateless')}/c4w.wasm`, 'scripts/c4w.wasm']],
    unproven: 'not measured: needs signed headers of a chain that it knows',
  },
  {
    id: 'helios',
    title: titled('@a16z/helios'),
    file: peer('ready', 'helios.mjs'),
    assets: [],
    unproven: 'not measured: needs signed headers of a chain that it knows',
  },
  {
    id: 'lodestar',
    title: titled('@lodestar/light-client'),
    file: peer('ready', 'lodestar.mjs'),
    page: peer('ready', 'lodestarPage.mjs'),
    assets: [],
    unproven: 'none: headers alone',
  },
]
