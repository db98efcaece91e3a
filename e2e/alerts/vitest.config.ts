import { defineConfig } from 'vitest/config'

/** The drill starts a stack and a Prometheus of its own, so it is no part of the acceptance tests. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 400_000,
  },
})
