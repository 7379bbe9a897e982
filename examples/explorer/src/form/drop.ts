/** Proof files that somebody drops on the page, or chooses. */

import { byId } from '../parts/dom.js'

/** The largest file that is read: no proof comes near it. */
const MAX_BYTES = 16 * 1024 * 1024

/** A file as text, or why there is none. */
export type Dropped =
  | { readonly name: string; readonly json: unknown }
  | { readonly name: string; readonly problem: string }

/** Hears of every file that is dropped or chosen. */
export function listenForFiles(onFile: (dropped: Dropped) => void): void {
  const input = byId('file', HTMLInputElement)
  const take = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) onFile(await read(file))
  }
  input.addEventListener('change', () => {
    void take(input.files?.[0])
    // The same file can be chosen again.
    input.value = ''
  })
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dropping')
  })
  addEventListener('drop', (event) => {
    document.body.classList.remove('dropping')
    const file = event.dataTransfer?.files[0]
    if (file === undefined) return
    event.preventDefault()
    void take(file)
  })
}

async function read(file: File): Promise<Dropped> {
  const { name, size } = file
  if (size > MAX_BYTES) return { name, problem: 'It is larger than any proof.' }
  try {
    return { name, json: JSON.parse(await textOf(file)) }
  } catch {
    return { name, problem: 'It holds no JSON, as a proof file does.' }
  }
}

/** As `file.text()`, whose promise WebKit may never settle. */
function textOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsText(file)
  })
}
