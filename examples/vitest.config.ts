import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Real browsers and real nodes: one file after another, and time enough for a loaded machine.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['**/test/**/*.test.ts'],
    environment: 'node',
    allowOnly: false,
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    retry: 0,
  },
})
