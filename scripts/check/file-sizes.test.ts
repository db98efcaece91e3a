import { expect, test } from 'vitest'
import { checkFolderSizes, measureFileSizes } from './file-sizes.ts'

function folderOf(count: number, ending = '.ts') {
  return Array.from({ length: count }, (_, n) => ({ path: `core/src/a${n}${ending}`, text: '' }))
}

/** Guarantee: no folder grows beyond what a reader can survey. */
test('refuses 31 source files in a folder', () => {
  expect(checkFolderSizes(folderOf(31))).toHaveLength(1)
})

test('allows 30, with any number of tests, fixtures and pages beside them', () => {
  const beside = ['.test.ts', '.fixture.ts', '.md'].flatMap((ending) => folderOf(31, ending))
  expect(checkFolderSizes([...folderOf(30), ...beside])).toEqual([])
})

test('the median and the largest leave out tests, generated files and data', () => {
  const lines = (count: number) => 'line\n'.repeat(count)
  const sizes = measureFileSizes([
    { path: 'core/src/a.ts', text: lines(10) },
    { path: 'core/src/b.ts', text: lines(30) },
    { path: 'core/src/c.ts', text: lines(20) },
    { path: 'core/src/a.test.ts', text: lines(100) },
    { path: 'core/src/a.gen.ts', text: lines(100) },
    { path: 'core/src/a.data.ts', text: lines(100) },
  ])
  expect(sizes).toEqual({ files: 3, medianLines: 20, largest: { path: 'core/src/b.ts', lines: 30 } })
})
