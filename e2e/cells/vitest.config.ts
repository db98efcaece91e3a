import { defineConfig } from 'vitest/config'

/** The drill starts two whole installations and takes minutes, so it is no part of the acceptance tests. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 600_000,
  },
})
