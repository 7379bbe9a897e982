/** versitygw, the S3 server that tests of object storage talk to. */

import { existsSync } from 'node:fs'
import { goProgram } from './goProgram.mjs'
import { probe } from './run.mjs'

const VERSION = '1.8.0'
const MODULE = 'github.com/versity/versitygw'

const versitygw = goProgram({
  name: 'versitygw',
  module: `${MODULE}/cmd/versitygw`,
  version: VERSION,
  go: [1, 25],
  variable: 'LIGHTPROOF_S3_SERVER',
  // Built so, it does not know its version itself.
  isRight: (program) =>
    existsSync(program) &&
    new RegExp(`mod\\s+${MODULE}\\s+v${VERSION}\\s`).test(
      probe('go', ['version', '-m', program]) ?? '',
    ),
})

export const findS3 = versitygw.find
export const s3Obstacle = versitygw.obstacle
export const buildS3 = versitygw.build
