import { defineConfig } from 'vitest/config'

/** These tests start a stack of their own with a pooler, so they are no part of the acceptance tests. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    bail: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
