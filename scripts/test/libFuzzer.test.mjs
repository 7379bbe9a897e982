import { expect, test } from 'vitest'
import { readRun } from '../lib/libFuzzer.mjs'

const OUTPUT = `INFO: Running with entropic power schedule (0xFF, 100).
INFO: Seed: 2781534466
INFO: Loaded 1 modules   (48217 inline 8-bit counters): 48217 [0x55d5, 0x55d6),
INFO: Loaded 1 PC tables (48217 PCs): 48217 [0x55d6,0x55d7),
INFO:      312 files found in /tmp/corpus
INFO: seed corpus: files: 312 min: 1b max: 16421b total: 501234b rss: 61Mb
#313	INITED cov: 1980 ft: 5120 corp: 290/401Kb exec/s: 0 rss: 70Mb
#4096	NEW    cov: 2013 ft: 5188 corp: 291/401Kb lim: 4096 exec/s: 2048 rss: 74Mb L: 57/4096 MS: 2 CopyPart-EraseBytes-
#65536	pulse  cov: 2013 ft: 5201 corp: 299/402Kb lim: 4096 exec/s: 21845 rss: 78Mb
#81920	REDUCE cov: 2041 ft: 5230 corp: 301/402Kb lim: 4096 exec/s: 20480 rss: 78Mb L: 33/4096 MS: 1 EraseBytes-
#123456	DONE   cov: 2048 ft: 5237 corp: 301/402Kb lim: 4096 exec/s: 20576 rss: 78Mb
Done 123456 runs in 6 second(s)
stat::number_of_executed_units: 123456
stat::average_exec_per_sec:     20576
stat::new_units_added:          14
stat::slowest_unit_time_sec:    0
stat::peak_rss_mb:              78
`

test('default: executions, and the regions of the last line', () => {
  expect(readRun(OUTPUT)).toEqual({ executions: 123_456, regions: 2048 })
})

test('behavior: a run without a last line of progress has what it came to before', () => {
  const cut = OUTPUT.replace(/^#123456\tDONE.*\n/m, '')
  expect(readRun(cut)).toEqual({ executions: 123_456, regions: 2041 })
})

test('behavior: what a target prints itself is not taken for progress', () => {
  const chatty = OUTPUT.replace('Done 123456', 'target: cov: 9999\nDone 123456')
  expect(readRun(chatty)?.regions).toBe(2048)
})

test.each([
  ['nothing', ''],
  ['no statistics', OUTPUT.replace(/^stat::.*\n/gm, '')],
  ['no progress', OUTPUT.replace(/^#.*\n/gm, '')],
])('error: %s', (_, output) => {
  expect(readRun(output)).toBeUndefined()
})
