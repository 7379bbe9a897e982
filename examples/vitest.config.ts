import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { shippedGlue } from '../sdk/scripts/glue.mjs'

// Real browsers and real nodes, two files at a time, and time enough for a loaded machine. Files
// share a process, and with it its browsers: to start one takes seconds.
export default defineConfig({
  plugins: [shippedGlue],
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['**/test/**/*.test.ts'],
    environment: 'node',
    allowOnly: false,
    globalSetup: ['test/support/build.ts'],
    maxWorkers: 2,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    retry: 0,
  },
})
