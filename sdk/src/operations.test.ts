import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCarillon } from './create-carillon.ts'

/** Guarantee: the SDK has a method for every operation of the API and none for anything else; it needs nothing of Node. */
const composed = ['content.iterate', 'content.waitUntilFinished']

test('operations and methods are the same list', async () => {
  const document: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
    await readFile(join(import.meta.dirname, '../../contract/openapi.json'), 'utf8'),
  )
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  const carillon = createCarillon({ baseUrl: 'https://carillon.example/api' })
  const methods = Object.entries(carillon).flatMap(([subject, all]) => Object.keys(all).map((name) => `${subject}.${name}`))
  expect(methods.toSorted()).toEqual([...operations, ...composed].toSorted())
})

test('no source imports from Node', async () => {
  const names = (await readdir(import.meta.dirname)).filter((name) => !/\.(?:test|fixture)\.ts$/.test(name))
  const sources = await Promise.all(names.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))
  expect(names.filter((_, n) => /from 'node:|\bprocess\.|\bBuffer\b/.test(sources[n] ?? ''))).toEqual([])
})
