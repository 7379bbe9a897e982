import './probe.js'
import { verifyProofFile } from 'lightproof'
import { runVectors, type VectorFile } from './run.js'

addEventListener('message', async ({ data }: MessageEvent<VectorFile>) => {
  postMessage(await runVectors(data, verifyProofFile))
})
