import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'

type ListedPackage = { name: string; versions: readonly string[]; paths: readonly string[]; license: string }

const licenceFile = /^(?:licen[cs]e|notice|copying)/i
const line = '-'.repeat(80)

const head = `Carillon contains or installs the packages below. Each text of a licence or notice is followed by the packages that it came with.

sharp uses libvips, which is licensed under LGPL-3.0-or-later. It is a dynamic library in a package of its own (@img/sharp-libvips-*),
so it can be replaced by another build.
`

/** Writes the licences of all packages of the server, the command line, the MCP server and the web app into one file. */
export async function writeNotices(path: string): Promise<void> {
  const listed = await runCommand(
    'pnpm',
    [
      'licenses',
      'list',
      '--prod',
      '--json',
      '--filter',
      '@carillon/server',
      '--filter',
      '@carillon/web',
      '--filter',
      '@carillon/cli',
      '--filter',
      '@carillon/mcp',
      '--filter',
      '@carillon/sdk',
    ],
    { cwd: root },
  )
  const packages = Object.values(JSON.parse(listed) as Record<string, ListedPackage[]>).flat()
  const namesByText = new Map<string, string[]>()
  for (const { name, version, dir, license } of packages.flatMap(versionsOf)) {
    const text = (await readLicence(dir)) || `Licence: ${license}. The package has no file with its text.`
    namesByText.set(text, [...(namesByText.get(text) ?? []), `${name} ${version} (${license})`])
  }
  const entries = [...namesByText].map(([text, names]) => ({ text, names: names.toSorted() }))
  const sorted = entries.toSorted((a, b) => ((a.names[0] ?? '') < (b.names[0] ?? '') ? -1 : 1))
  await writeFile(path, [head, ...sorted.map(({ text, names }) => `${line}\n${names.join('\n')}\n\n${text}\n`)].join('\n'))
}

function versionsOf({ name, versions, paths, license }: ListedPackage) {
  return versions.map((version, at) => ({ name, version, dir: paths[at] ?? '', license }))
}

async function readLicence(dir: string): Promise<string> {
  const names = (await readdir(dir)).filter((name) => licenceFile.test(name)).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8').catch(() => '')))
  return texts.map((text) => text.replaceAll('\r\n', '\n').trim()).join('\n\n')
}
