import { defineConfig } from 'vitest/config'
import { shippedGlue } from './sdk/scripts/glue.mjs'

/**
 * A suite: the tests below some directories. Live suites start processes, so their files run one
 * after another.
 */
function suite(name: string, include: string[], live = false) {
  return {
    plugins: [shippedGlue],
    test: {
      name,
      include,
      environment: 'node' as const,
      fileParallelism: !live,
      // Only a fault takes this long, also where the suites of other lanes share two processors.
      testTimeout: live ? 300_000 : 60_000,
      hookTimeout: live ? 300_000 : 60_000,
      retry: 0,
    },
  }
}

// examples/ has its own configuration: it drives real browsers.
export default defineConfig({
  test: {
    allowOnly: false,
    projects: [
      suite('sdk', ['sdk/src/**/*.test.ts', 'sdk/test/unit/**/*.test.ts']),
      suite('vectors', ['sdk/test/vectors/**/*.test.ts']),
      suite('node', ['sdk/test/node/**/*.test.ts'], true),
      suite('geth', ['sdk/test/integration/**/*.test.ts'], true),
      suite('bench', ['bench/**/*.test.{ts,mjs}']),
      suite('scripts', ['scripts/test/**/*.test.mjs']),
    ],
  },
})
