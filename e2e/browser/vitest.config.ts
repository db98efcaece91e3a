import { defineConfig } from 'vitest/config'

/** These have the stack for themselves: they empty the install, measure times, or change what a platform accepts. */
const alone = [
  'people/first-run.test.ts',
  'calendar/{live,thousand}.test.ts',
  'compose/{first-post,kill}.test.ts',
  'settings/platforms.test.ts',
]

/** One stack for all files. Most tests have a workspace of their own and mostly wait, so two files run beside each other. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A page on a busy machine is late, not wrong.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: alone, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: { name: 'beside', include: ['**/*.test.ts'], exclude: alone, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
    ],
  },
})
