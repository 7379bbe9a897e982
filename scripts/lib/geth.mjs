/** geth, the real full node that the integration tests talk to. */

import { goProgram } from './goProgram.mjs'
import { probe } from './run.mjs'

/** Later versions need a module that the Go module proxy does not serve. */
const VERSION = '1.17.8'

const geth = goProgram({
  name: 'geth',
  module: 'github.com/ethereum/go-ethereum/cmd/geth',
  version: VERSION,
  go: [1, 24],
  variable: 'LIGHTPROOF_GETH',
  isRight: (program) => probe(program, ['version'])?.includes(`Version: ${VERSION}-`) === true,
})

export const findGeth = geth.find
export const gethObstacle = geth.obstacle
export const buildGeth = geth.build
