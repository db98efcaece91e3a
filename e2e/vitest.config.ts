import { defineConfig } from 'vitest/config'
import { LastFileSequencer } from './last-file-sequencer.ts'

/** One stack for all files, so they run one after another. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['acceptance/**/*.test.ts'],
    fileParallelism: false,
    sequence: { sequencer: LastFileSequencer },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
