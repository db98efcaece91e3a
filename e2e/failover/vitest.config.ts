import { defineConfig } from 'vitest/config'

/** Each drill starts a stack of its own, breaks it under traffic and takes a minute or two, so they are no part of the acceptance tests. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    fileParallelism: false,
    testTimeout: 420_000,
    hookTimeout: 300_000,
  },
})
