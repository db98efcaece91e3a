import { expect, test } from 'vitest'
import { measureStructure } from './measure-structure.ts'

const files = [
  { path: 'server/src/a.ts', text: `import { b } from './b.ts'\nimport { c } from './c.ts'\n${'line\n'.repeat(2)}` },
  { path: 'server/src/b.ts', text: `import { c } from './c.ts'\nexport * from './b.gen.ts'\n` },
  { path: 'server/src/c.ts', text: 'line\n'.repeat(4) },
  { path: 'server/src/b.test.ts', text: `import { b } from './b.ts'\n${'line\n'.repeat(100)}` },
  { path: 'server/src/b.gen.ts', text: 'line\n'.repeat(100) },
  { path: 'web/src/a.tsx', text: `import { b } from '../../server/src/c.ts'\n` },
]

/** Guarantee: the counts of the architecture page mean what it says, and leave out tests, fixtures and generated files. */
test('counts files, lines, the median and imports of one folder', () => {
  expect(measureStructure(files, 'server/src/')).toMatchObject({
    files: 3,
    lines: 10,
    medianLines: 4,
    importsPerThousandLines: 400,
  })
})

test('a file with one importer is named with it; tests and other folders are no importers', () => {
  expect(measureStructure(files, 'server/src/').singleUser).toEqual([
    { path: 'server/src/b.ts', lines: 2, user: 'server/src/a.ts' },
  ])
})

test('a folder without files has no counts', () => {
  expect(measureStructure(files, 'core/src/')).toEqual({
    files: 0,
    lines: 0,
    medianLines: 0,
    importsPerThousandLines: 0,
    singleUser: [],
  })
})
