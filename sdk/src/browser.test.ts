import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Guarantee: the SDK runs in a browser as it is: it uses only what browsers have. */
test('no file of the SDK imports a module of Node or uses its globals', async () => {
  const folder = import.meta.dirname
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(name))
  expect(files.length).toBeGreaterThan(10)
  for (const name of files) {
    const source = await readFile(join(folder, name), 'utf8')
    const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, from = '']) => from)
    expect({ name, imports: imports.filter((from) => !from.startsWith('./') && from !== 'openapi-fetch') }).toEqual({
      name,
      imports: [],
    })
    const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    expect({ name, globals: /\b(process|Buffer|require|__dirname|setImmediate)\b/.exec(code)?.[0] }).toEqual({
      name,
      globals: undefined,
    })
  }
})
