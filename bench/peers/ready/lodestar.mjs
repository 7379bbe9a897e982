/** Lodestar's light client, which follows the headers from a checkpoint. */
import { Lightclient } from '@lodestar/light-client'
import * as transport from '@lodestar/light-client/transport'
import * as utils from '@lodestar/light-client/utils'
import { startWith } from './lodestarClient.mjs'

export const start = () => startWith({ Lightclient, transport, utils })
