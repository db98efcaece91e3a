import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests beside the code. The whole from outside is `pnpm e2e`, which brings its own stack. */
export default defineConfig({
  test: {
    include: [
      '{contract,core,connectors,server,sdk,web,docs-site,simulator,stack,scripts,bench,mutants,deploy}/**/*.test.ts',
      'e2e/{chaos,coverage,fuzz}/**/*.test.ts',
    ],
    // Most tests wait for a database or a process. By default, a machine with two cores would run one file at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
