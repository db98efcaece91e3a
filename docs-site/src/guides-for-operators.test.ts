import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guides = readdirSync(join(root, 'docs/guides'))

/** Guarantee: an operator finds every command on one page. */
test('the page of commands has each command of the program', () => {
  const commands = [...read('server/src/commands/commands.ts').matchAll(/name: '([^']+)'/g)].map(([, name = '']) => name)
  expect(commands.length).toBeGreaterThan(15)
  const page = read('docs/guides/operating.md')
  expect(commands.filter((name) => !page.includes(`\`carillon ${name}\``))).toEqual([])
})

/** Guarantee: who has a proxy finds the lines for it where the page of tasks says that they are. */
test.each(['Caddy', 'nginx', 'HAProxy', 'Traefik'])('the page of proxies has the lines for %s', (proxy) => {
  expect(read('docs/guides/containers.md')).toMatch(new RegExp(String.raw`has the lines for [^.]*\b${proxy}\b`))
  expect(read('docs/guides/tls-and-proxies.md')).toMatch(new RegExp(`^## ${proxy}\n[^#]*\`\`\``, 'm'))
})

/** Guarantee: an image that a guide names exists after a release: a tag has no v, and with video it ends so. */
test('guides name images by the tags of the release workflow', () => {
  expect(read('.github/workflows/release.yml')).toContain('version=${GITHUB_REF_NAME#v}')
  const named = guides.flatMap((name) => read(`docs/guides/${name}`).match(/carillon:v\d\S*|image\.tag=v\d\S*/g) ?? [])
  expect(named).toEqual([])
})
