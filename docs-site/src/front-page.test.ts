import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderPage } from './render-page.ts'
import { targetOf } from './resolve-link.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) =>
  renderPage({ path, text: readFileSync(join(root, 'docs', path), 'utf8'), repositoryUrl: 'https://example.com' })

const linked = new Set(read('README.md').links.map(({ href }) => targetOf('README.md', href).file))

/** Guarantee: what a stranger asks in the first week is answered within two clicks: a link of the first page, and a heading there. */
test.each([
  ['How do I install it?', 'guides/install.md', 'Containers on one machine'],
  ['I have lost my password', 'guides/invite-people.md', 'A forgotten password'],
  ['… and there is no mail server', 'guides/containers.md', 'Let people in without a mail server'],
  ['I already have a proxy', 'guides/containers.md', 'Use a proxy that you have'],
  ['How do I back up every night?', 'guides/backups.md', 'Back up every night'],
  ['How do I upgrade?', 'guides/containers.md', 'Upgrade, and go back'],
  ['How do I use another domain?', 'guides/containers.md', 'Use another domain'],
  ['How do I connect X?', 'platforms/x.md', 'Connecting'],
  ['Why did it fail?', 'guides/when-something-fails.md', 'What happened'],
  ['How do I add a colleague?', 'guides/invite-people.md', 'Invite a client or a colleague'],
  ['How do I remove everything?', 'guides/containers.md', 'Stop and uninstall'],
])('%s', (_question, path, heading) => {
  expect(linked).toContain(`docs/${path}`)
  expect(read(path).headings.map(({ text }) => text)).toContain(heading)
})
