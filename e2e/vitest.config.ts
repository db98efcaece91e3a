import { defineConfig } from 'vitest/config'
import { InOrder } from './in-order.ts'

/** One stack for all files, so they run one after another. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['acceptance/**/*.test.ts'],
    fileParallelism: false,
    sequence: { sequencer: InOrder },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
