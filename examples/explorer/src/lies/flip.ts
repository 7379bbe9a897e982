/** Changes a proof file as somebody between node and reader could. */

import type { ProofFile } from 'lightproof'

/** The file with the lowest bit of one byte of its proof flipped. */
export function flipped(file: ProofFile, at: number): ProofFile {
  const start = 2 + 2 * at
  const byte = Number.parseInt(file.proof.slice(start, start + 2), 16) ^ 1
  const digits = byte.toString(16).padStart(2, '0')
  return {
    ...file,
    proof: `0x${file.proof.slice(2, start)}${digits}${file.proof.slice(start + 2)}` as const,
  }
}

/** Bytes of the proof. */
export function lengthOf({ proof }: ProofFile): number {
  return (proof.length - 2) / 2
}

/** The hash of the block that the file starts from, or its root. */
export function anchorOf({ source }: ProofFile): string {
  return 'header' in source ? source.header.hash : source.root.bytes
}
