import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../../stack/services/folders.ts'
import { document } from '../generate/open-api.ts'
import { readOperations } from '../generate/read-operations.ts'

const folder = join(root, 'python')

async function runPython(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' }
  return promisify(execFile)('python3', ['-W', 'error', ...args], { cwd: folder, env })
}

/** Guarantee: the Python client keeps the promises of the SDK: retries with one key, typed errors, files in parts, signed webhooks. */
test('the tests of the Python client pass', async () => {
  const { stderr } = await runPython('-m', 'unittest', '--verbose')
  expect(stderr).toMatch(/Ran (?:[3-9]\d|\d{3,}) tests/)
  expect(stderr).toMatch(/\nOK\n$/)
})

/** Guarantee: every operation of the API has a method in Python, by a name that can be told from its own. */
test('every operation has a method, and every paginated list one that reads all pages', async () => {
  const program = [
    'import inspect, json, carillon',
    'client = carillon.Carillon("http://127.0.0.1/api")',
    'subjects = {name: value for name, value in vars(client).items()}',
    'print(json.dumps([f"{name}.{each}" for name, value in subjects.items() for each, _ in inspect.getmembers(value, inspect.ismethod) if not each.startswith("_")]))',
  ].join('\n')
  const { stdout } = await runPython('-c', program)
  const operations = readOperations(document)
  const iterators = operations
    .filter(({ paging }) => paging)
    .map(
      ({ subject, name }) =>
        `${subject}.${name === 'list' ? 'iterate' : `iterate${name.charAt(0).toUpperCase()}${name.slice(1)}`}`,
    )
  const wanted = [...operations.map(({ id }) => id), ...iterators, 'content.waitUntilFinished', 'media.uploadFile']
  const names = wanted.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  expect(JSON.parse(stdout).toSorted()).toEqual(names.toSorted())
})

/** Guarantee: an installation needs nothing but Python. */
test('the package has no dependency, and the licence of the repository', async () => {
  const project = await readFile(join(folder, 'pyproject.toml'), 'utf8')
  expect(project).toContain('\ndependencies = []\n')
  expect(project).toContain('\nlicense = "Apache-2.0"\n')
  expect(await readFile(join(folder, 'LICENSE'), 'utf8')).toBe(await readFile(join(root, 'LICENSE'), 'utf8'))
})
