import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCarillon } from './create-carillon.ts'

/**
 * Guarantee: the SDK has a method for every operation of the API, one that walks every list in pages, and a few by hand; it needs nothing
 * of Node.
 */
const byHand = ['content.waitUntilFinished', 'media.uploadFile']

type Operation = { operationId: string; parameters: { name?: string }[] }

test('operations and methods are the same list', async () => {
  const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
    await readFile(join(import.meta.dirname, '../../contract/openapi.json'), 'utf8'),
  )
  const all = Object.values(document.paths).flatMap((item) => Object.values(item))
  const operations = all.map(({ operationId }) => operationId)
  const inPages = all.filter(({ parameters }) => parameters.some(({ name }) => name === 'page' || name === 'cursor'))
  const walks = inPages.map(({ operationId }) => {
    const [subject, name = ''] = operationId.split('.')
    return name === 'list' ? `${subject}.iterate` : `${subject}.iterate${name.charAt(0).toUpperCase()}${name.slice(1)}`
  })
  expect(walks).toContain('content.iterate')
  const carillon = createCarillon({ baseUrl: 'https://carillon.example/api' })
  const methods = Object.entries(carillon).flatMap(([subject, named]) => Object.keys(named).map((name) => `${subject}.${name}`))
  expect(methods.toSorted()).toEqual([...operations, ...walks, ...byHand].toSorted())
})

test('no source imports from Node', async () => {
  const names = (await readdir(import.meta.dirname)).filter((name) => !/\.(?:test|fixture)\.ts$/.test(name))
  const sources = await Promise.all(names.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))
  expect(names.filter((_, n) => /from 'node:|\bprocess\.|\bBuffer\b/.test(sources[n] ?? ''))).toEqual([])
})
