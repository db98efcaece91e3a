import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../stack/services/folders.ts'

const run = promisify(execFile)
const name = 'belltower'
let dir: string

/** Guarantee: `pnpm new platform` alone makes a platform that compiles and works; nothing else has to be extended by hand. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-recipe-'))
  await copyRepository()
  await inCopy(process.execPath, ['scripts/new-platform.ts', 'platform', name, 'Bell Tower'])
}, 300_000)
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Shared code of the server and of the web app may not name a platform (scripts/check/platform-names.ts), so lists can be only in these. */
const compiled = ['contract', 'core', 'connectors', 'simulator', 'stack', 'scripts', 'e2e', 'bench', 'mutants']

test('everything that can have a list of platforms compiles with the new one', { timeout: 600_000 }, async () => {
  await writeFile(join(dir, 'recipe.json'), JSON.stringify({ extends: './tsconfig.json', include: compiled }))
  expect(await inCopy('node_modules/.bin/tsc', ['--noEmit', '--project', 'recipe.json'])).toBe('')
})

test('the new files are formatted, and the word is in the contract', { timeout: 300_000 }, async () => {
  const written = [`connectors/src/${name}`, `simulator/src/platforms/${name}`, 'contract/src/platforms.ts']
  await inCopy('node_modules/.bin/oxfmt', ['--check', ...written])
  expect(await readFile(join(dir, 'contract/src/platforms.ts'), 'utf8')).toContain(`'${name}'`)
})

test('the page of the platform and every mention of it are generated', async () => {
  const page = await readFile(join(dir, `docs/platforms/${name}.md`), 'utf8')
  expect(page).toContain('# Bell Tower')
  for (const path of ['README.md', 'docs/guides/simulator.md', 'docs/guides/platform-apps.md'])
    expect(await readFile(join(dir, path), 'utf8')).toContain('Bell Tower')
  expect(await readFile(join(dir, 'deploy/compose.try.yaml'), 'utf8')).toContain(`"${name}":"http://platforms:4010/${name}"`)
})

test(
  'of its own tests and of those over all platforms, only the one about unfilled places fails',
  { timeout: 600_000 },
  async () => {
    const include = [
      `connectors/src/${name}/*.test.ts`,
      `simulator/src/platforms/${name}/*.test.ts`,
      'scripts/new-platform/filled-in.test.ts',
      'connectors/test/guides.test.ts',
      'contract/src/**/*.test.ts',
      'e2e/chaos/plan/*.test.ts',
      'simulator/src/control/accounts.routes.test.ts',
      'simulator/src/page/create-pages.test.ts',
    ]
    await writeFile(
      join(dir, 'recipe.config.ts'),
      `export default { test: { testTimeout: 20_000, include: ${JSON.stringify(include)} } }\n`,
    )
    const args = ['run', '--config', 'recipe.config.ts', '--reporter=json', '--outputFile=tests.json']
    await inCopy('node_modules/.bin/vitest', args).catch(() => null)
    const { testResults } = JSON.parse(await readFile(join(dir, 'tests.json'), 'utf8')) as TestReport
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    expect(tests.filter(({ status }) => status === 'failed').map(({ title }) => title)).toEqual([
      `every place of ${name} is filled in`,
    ])
    expect(testResults.filter(({ assertionResults }) => assertionResults.length === 0)).toEqual([])
    expect(tests.filter(({ fullName }) => fullName.startsWith('Bell Tower connector')).length).toBeGreaterThan(20)
  },
)

type TestReport = { testResults: { name: string; assertionResults: { title: string; fullName: string; status: string }[] }[] }

async function inCopy(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(command, [...args], { cwd: dir, maxBuffer: 64_000_000 })
  return stdout
}

/** What a clone would have, with changes that are not committed yet, and the packages that are installed here. */
async function copyRepository(): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 64_000_000,
  })
  const folders = new Set<string>()
  for (const path of stdout.split('\0').filter((each) => each !== '')) {
    const folder = dirname(path)
    if (!folders.has(folder)) await mkdir(join(dir, folder), { recursive: true })
    folders.add(folder)
    // A file that was removed and is not committed yet is still listed.
    await copyFile(join(root, path), join(dir, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'))
  // The packages of the workspace are links to folders beside them, so these links are copied as they are.
  for (const each of [...(await readdir(root)), 'scripts/codegen'])
    await cp(join(root, each, 'node_modules'), join(dir, each, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    }).catch(() => null)
}
