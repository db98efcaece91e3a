import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { navigation, repositoryUrl } from '../navigation.data.ts'
import { buildSite } from './build-site.ts'
import { listReleases } from './list-releases.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'carillon-docs-test-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function build(): string {
  const outFolder = join(root, 'out')
  buildSite({
    versions: [{ name: 'unreleased', folder: '', root }, ...listReleases(root, join(root, 'work'))],
    navigation: [{ title: 'All', pages: ['README.md'], rest: '' }],
    repositoryUrl: 'https://example.com/repository',
    outFolder,
  })
  return outFolder
}

/** Guarantee: a page with a broken link, or without a place in the navigation, never reaches readers. */
test.each([
  ['a file that does not exist', '[a](guides/none.md)', 'leads to docs/guides/none.md, which does not exist'],
  ['a heading that does not exist', '[a](guides/one.md#none)', 'leads to a heading that docs/guides/one.md does not have'],
  ['a heading of the same page', '[a](#none)', 'leads to a heading that docs/README.md does not have'],
  ['a picture that does not exist', '![a](none.png)', 'which does not exist'],
  ['a folder without a README', '[a](guides/)', 'leads to a folder without a README.md'],
  ['a file outside that does not exist', '| a |\n|---|\n| [a](../none.ts) |', 'docs/README.md:5: the link to ../none.ts'],
])('a link to %s fails the build', (_name, text, message) => {
  write('docs/README.md', `# Start\n\n${text}\n`)
  write('docs/guides/one.md', '# One\n')
  expect(build).toThrow(message)
  expect(existsSync(join(root, 'out'))).toBe(false)
})

test('links become addresses of the site, and other files are shown by the repository', () => {
  write('docs/README.md', '# Start\n\n[a](guides/one.md#a-heading) [b](../code.ts) [c](guides/)\n')
  write('docs/guides/README.md', '# Guides\n')
  write(
    'docs/guides/one.md',
    '# One\n\n## A `heading`!\n\n[up](../README.md) [here](#a-heading)\n\n```js\nconst a = "<b>"\n```\n',
  )
  write('code.ts', '')
  const out = build()
  const start = readFileSync(join(out, 'index.html'), 'utf8')
  for (const href of ['guides/one.html#a-heading', 'https://example.com/repository/blob/main/code.ts', 'guides/index.html'])
    expect(start).toContain(`href="${href}"`)
  const one = readFileSync(join(out, 'guides/one.html'), 'utf8')
  expect(one).toContain('<h2 id="a-heading">')
  expect(one).toContain('href="../index.html"')
  expect(one).toContain('&lt;b&gt;')
})

test('the documents of each release are built beside the current ones, even if their links are broken', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
      cwd: root,
    })
  write('docs/README.md', '# Start\n\n[old](gone.md)\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  git('tag', 'v0.1.0')
  write('docs/README.md', '# Start\n')
  write('docs/new.md', '# New\n')
  git('add', '.')
  git('commit', '-qm', 'second')
  const out = build()
  expect(readFileSync(join(out, 'v0.1.0/index.html'), 'utf8')).toContain('<option value="../index.html">unreleased')
  // The older release has no such page, so its start is shown.
  expect(readFileSync(join(out, 'new.html'), 'utf8')).toContain('<option value="v0.1.0/index.html">v0.1.0')
})

test('our own documents can be built', () => {
  const outFolder = join(root, 'out')
  const repository = join(import.meta.dirname, '../..')
  const { pages } = buildSite({
    versions: [{ name: 'unreleased', folder: '', root: repository }],
    navigation,
    repositoryUrl,
    outFolder,
  })
  expect(pages).toBeGreaterThan(100)
})
