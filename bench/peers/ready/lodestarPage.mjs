/** As lodestar.mjs, by the bundle that its package has for browsers. */
import * as lodestar from '../node_modules/@lodestar/light-client/dist/lightclient.min.mjs'
import { startWith } from './lodestarClient.mjs'

export async function start() {
  await lodestar.__tla
  await startWith(lodestar)
}
