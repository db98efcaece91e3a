import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderPage } from './render-page.ts'
import { targetOf } from './resolve-link.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) =>
  renderPage({ path, text: readFileSync(join(root, 'docs', path), 'utf8'), repositoryUrl: 'https://example.com' })

const first = read('README.md').links.map(({ href }) => ({ href, ...targetOf('README.md', href) }))

/** Guarantee: what a stranger asks in the first week is one click away from the first page: a link to the heading under which the answer is. */
test.each([
  ['How do I install it?', 'guides/install.md', 'Containers on one machine'],
  ['I have lost my password', 'guides/invite-people.md', 'A forgotten password'],
  ['there is no mail server', 'guides/containers.md', 'Let people in without a mail server'],
  ['I already have a proxy', 'guides/containers.md', 'Use a proxy that you have'],
  ['How do I back up every night?', 'guides/backups.md', 'Back up every night'],
  ['How do I upgrade, and go back?', 'guides/containers.md', 'Upgrade, and go back'],
  ['How do I use another domain?', 'guides/containers.md', 'Use another domain'],
  ['How do I connect X?', 'platforms/x.md', 'Connecting'],
  ['Why did it fail?', 'guides/when-something-fails.md', 'When something fails'],
  ['How do I add a colleague?', 'guides/invite-people.md', 'Invite a client or a colleague'],
  ['How do I remove everything?', 'guides/containers.md', 'Stop and uninstall'],
])('%s', (question, path, heading) => {
  const id = read(path).headings.find(({ text }) => text === heading)?.id
  expect(first).toContainEqual({ href: `${path}#${id}`, file: `docs/${path}`, anchor: id })
  expect(front).toContain(`[${question}](${path}#${id})`)
})

const front = readFileSync(join(root, 'docs/README.md'), 'utf8')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const headingsOf = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
/** A row of the comparison: Carillon, Postiz, Mixpost, Buffer. */
const rowOf = (name: string) => (front.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '').split(' | ').slice(1)

/** Guarantee: who has read one of the two first pages finds everything in the same place of the other, and a program soon. */
test('the README has the sections of the first page in the same order, and a program after two screens at most', () => {
  expect(headingsOf(front)).toEqual([
    'Install',
    'In the first week',
    'Platforms',
    'Beside other tools',
    'License',
    'For people who post',
    'For programs',
    'For operators',
    'For contributors',
  ])
  // What the README shows of "For programs" is a program. It may have more sections than the first page, and leaves the questions to it.
  const expected = headingsOf(front)
    .filter((heading) => heading !== 'In the first week')
    .map((heading) => heading.replace('For programs', 'In a program'))
  expect(headingsOf(readme).filter((heading) => expected.includes(heading))).toEqual(expected)
  expect(readme.slice(0, readme.indexOf('## In a program')).split('\n').length).toBeLessThan(65)
})

/** Guarantee: a platform that is added is shown to strangers. */
test.each([
  ['README.md', 'docs/platforms'],
  ['docs/README.md', 'platforms'],
])('%s shows the logo of each platform', (path, folder) => {
  const logos = readdirSync(join(root, 'docs/platforms')).filter((name) => name.endsWith('.svg'))
  expect(logos.length).toBeGreaterThan(12)
  const text = readFileSync(join(root, path), 'utf8')
  expect(logos.filter((logo) => !text.includes(`](${folder}/${logo})]`))).toEqual([])
})

/** Guarantee: the comparison is dated, complete, and true about ourselves where a file can tell. */
test('the comparison with other tools', () => {
  expect(front).toMatch(/Looked at in \w+ 20\d\d/)
  const rows = front.split('\n').filter((line) => line.startsWith('| '))
  const comparison = rows.slice(rows.findIndex((row) => row.includes('Postiz')))
  expect(comparison.length).toBeGreaterThan(10)
  expect(comparison.filter((row) => row.split(' | ').length !== 5)).toEqual([])
  const compose = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')
  const running = compose.match(/^ {4}(?:<<: .*\*hardened|restart: unless-stopped)/gm)
  expect(rowOf('On your own machine')[0]).toBe(`${running?.length ?? 0} containers`)
  const openApi = readFileSync(join(root, 'contract/openapi.json'), 'utf8')
  for (const [row, path] of [
    ['Queue of time slots', '/queues/{id}/slots'],
    ['Approval before publishing', '/content/{id}/approve'],
    ['Webhooks', '/webhooks/{id}/redeliver-failed'],
  ] as const) {
    expect([path, openApi.includes(`"${path}"`)]).toEqual([path, true])
    expect([row, rowOf(row)[0]]).toEqual([row, expect.not.stringMatching(/^no/)])
  }
  expect(readFileSync(join(root, 'connectors/src/mastodon/manifest.ts'), 'utf8')).toContain('thread: true')
  expect(rowOf('Threads of several posts')[0]).toBe('yes')
})
