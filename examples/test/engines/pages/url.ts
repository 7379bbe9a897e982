import './probe.js'
import { verifyProofFile } from 'lightproof'
import { embeddedVectors, publish } from './publish.js'
import { runVectors } from './run.js'

publish(runVectors(embeddedVectors(), verifyProofFile))
