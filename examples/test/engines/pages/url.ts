import './probe.js'
import { verifyProofFile } from 'lightproof'
import { startWorkers } from 'lightproof/workers'
import { embeddedVectors, publish } from './publish.js'
import { runVectors } from './run.js'

// On this thread, where the calls are counted.
startWorkers({ size: 0 })
publish(runVectors(embeddedVectors(), verifyProofFile))
