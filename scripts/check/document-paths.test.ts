import { expect, test } from 'vitest'
import { checkDocumentPaths } from './document-paths.ts'

/** Guarantee: the architecture page names no file that was moved or removed. */
function problems(text: string): string[] {
  const paths = ['docs/glossary.md', 'docs/decisions/001.md', 'server/src/infra/db/db.ts']
  const files = [{ path: 'docs/architecture.md', text }, ...paths.map((path) => ({ path, text: '' }))]
  return checkDocumentPaths(files).map(({ problem }) => problem)
}

test.each([
  'See [words](words.md).',
  'See [words](../server/src/db/db.ts).',
  'It is in `server/src/db/db.ts`.',
  'It is in `db/db.ts`.',
  'It is in `server/src/db/`.',
])('refuses %s', (text) => {
  expect(problems(text)).toHaveLength(1)
})

test.each([
  'See [words](glossary.md#post), [all](decisions) and [the site](https://example.com/a.md).',
  'It is in `server/src/infra/db/db.ts`, in `server/src/infra/db/`.',
  'It answers `application/json` at `/api/content/text`, and a client may send `content/`.',
  '```\nserver/src/old.ts  `a/b.ts`\n```\n',
])('allows %s', (text) => {
  expect(problems(text)).toEqual([])
})
