import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'
import { closeChangelog, findLeftovers, readVersion, versionLines } from './versions.ts'
import { readDebianPackages, writeSbom } from './write-sbom.ts'

const work = mkdtempSync(join(tmpdir(), 'carillon-release-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

/** Guarantee: the program, the image and the chart of a release have one version. */
test('every file names the same version', async () => {
  const version = await readVersion()
  for (const { file, pattern } of versionLines) {
    const found = readFileSync(join(root, file), 'utf8').match(pattern) ?? []
    expect({ file, found: [...new Set(found)] }).toEqual({ file, found: [version] })
  }
})

/** Guarantee: a version that nobody thought of is found, instead of staying behind in a guide or a file of Compose. */
test('after a release, no file but those that change names the old version', async () => {
  const version = await readVersion()
  const changed = new Set(versionLines.map(({ file }) => file))
  const others = (await findLeftovers(version)).filter((line) => !changed.has(line.split(':')[0] ?? ''))
  expect(others).toEqual([])
  // It finds what it looks for.
  expect(await findLeftovers(version)).toContainEqual(expect.stringMatching(/^deploy\/compose\.yaml:\d+:/))
})

/** Guarantee: the image runs on the Node with which everything is tested, and is built with a pnpm that reads the lock file. */
test('the Dockerfile and .nvmrc name the Node of the catalog, and one pnpm', () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const catalog = /^ {2}node: (\S+)$/m.exec(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))?.[1]
  expect([...dockerfile.matchAll(/^FROM node:(\S+)-bookworm-slim/gm)].map(([, version]) => version)).toEqual([catalog, catalog])
  expect(readFileSync(join(root, '.nvmrc'), 'utf8').trim()).toBe(catalog)
  expect(dockerfile.match(/pnpm@\S+/g)).toEqual([expect.stringMatching(/^pnpm@12\.\d+\.\d+$/)])
})

test('a release closes its section of the changelog and opens a new one', () => {
  const text = '# Changes\n\n## Not released yet\n\n- Bells.\n'
  const closed = closeChangelog(text, '1.2.0', '2026-12-01')
  expect(closed).toBe('# Changes\n\n## Not released yet\n\n## 1.2.0 (2026-12-01)\n\n- Bells.\n')
  expect(() => closeChangelog(closed, '1.2.0', '2026-12-02')).toThrow('has a section for 1.2.0 already')
})

test('the list of packages has a licence for each, no tool of developers, and does not change between two runs', async () => {
  const [one, other] = await Promise.all([writeSbom(), writeSbom()])
  expect(one.text).toBe(other.text)
  const sbom = JSON.parse(one.text)
  const names = sbom.components.map(({ name, group }: { name: string; group?: string }) => (group ? `${group}/${name}` : name))
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'react']))
  for (const tool of ['vitest', 'oxlint', 'playwright-core', 'knip']) expect(names).not.toContain(tool)
  // Gaps of Node are found by its version: it is part of the image.
  const node = sbom.components.find(({ purl }: { purl?: string }) => purl?.startsWith('pkg:generic/node@'))
  expect(node).toMatchObject({
    version: process.versions.node,
    cpe: expect.stringContaining(`node.js:${process.versions.node}:`),
  })
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'carillon', version: await readVersion() } },
  })
})

test('the list of packages has the Debian packages that the image names', () => {
  const status =
    'Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.36-9+deb12u14\nDescription: a\n b\n'
  const other = 'Package: libstdc++6\nArchitecture: amd64\nVersion: 12.2.0-14\n'
  expect(readDebianPackages(`${status}\n${other}`)).toEqual([
    {
      type: 'library',
      name: 'libc6',
      version: '2.36-9+deb12u14',
      purl: 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64&distro=debian-12',
    },
    {
      type: 'library',
      name: 'libstdc++6',
      version: '12.2.0-14',
      purl: 'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14?arch=amd64&distro=debian-12',
    },
  ])
})

/** Guarantee: a published package has what its users need, and nothing of ours. */
describe.each(publishedPackages())('$name', ({ folder }) => {
  test('contains its code, types, README and licence, and nothing else', async () => {
    await runCommand('pnpm', ['pack', '--pack-destination', work], { cwd: join(root, folder) })
    const [archive = ''] = readdirSync(work).filter((name) => name.endsWith('.tgz'))
    const path = join(work, archive)
    const files = (await runCommand('tar', ['-tzf', path])).trim().split('\n')
    const manifest = JSON.parse(await runCommand('tar', ['-xzOf', path, 'package/package.json']))
    const text = await runCommand('tar', ['-xzOf', path])

    expect(files).toEqual(expect.arrayContaining(['package/README.md', 'package/LICENSE', 'package/package.json']))
    const expected =
      /^package\/(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/[\w/.-]+\.(?:js|d\.ts|css|json|svg|woff2|html))$/
    expect(files.filter((name) => !expected.test(name) || /\.(?:test|fixture)\./.test(name))).toEqual([])
    // A package for programmers has exports, a program has a command.
    const targets = exportTargets([manifest.exports, manifest.bin])
    expect(targets.length).toBeGreaterThan(0)
    for (const target of targets) expect(files).toContain(target.replace('./', 'package/'))
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      description: expect.any(String),
      engines: { node: expect.any(String) },
      // npm compares it with the place that a proof of origin names.
      repository: { type: 'git', url: 'git+https://github.com/carillon-dev/carillon.git', directory: folder },
    })
    // The registry shows the README without the files around it.
    const readme = await runCommand('tar', ['-xzOf', path, 'package/README.md'])
    expect(readme.match(/\]\((?!https:|#)[^)]*\)/g)).toBe(null)
    // pnpm replaces these when it packs; npm users could not install them.
    expect(JSON.stringify(manifest.dependencies ?? {})).not.toMatch(/workspace:|catalog:/)
    expect(text).not.toContain(root)
    rmSync(path)
  }, 60_000)
})

function publishedPackages(): { name: string; folder: string }[] {
  return readdirSync(root)
    .filter((name) => statSync(join(root, name)).isDirectory())
    .flatMap((folder) => {
      const file = join(root, folder, 'package.json')
      if (!statSync(file, { throwIfNoEntry: false })) return []
      const { name, private: isPrivate } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; private?: boolean }
      return isPrivate === true ? [] : [{ name, folder }]
    })
}

function exportTargets(exports: unknown): string[] {
  if (typeof exports === 'string') return [exports]
  return typeof exports === 'object' && exports !== null ? Object.values(exports).flatMap(exportTargets) : []
}
