import { defineConfig } from 'vitest/config'

/** The drill starts a stack of its own and takes some minutes, so it is no part of the acceptance tests. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    bail: 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
})
