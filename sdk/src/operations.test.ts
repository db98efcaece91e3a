import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCarillon } from './create-carillon.ts'

/**
 * Guarantee: the SDK has a method for every operation of the API, an iterating method for every paginated list, and a few hand-written
 * methods. It does not depend on Node.
 */
const handWritten = ['content.waitUntilFinished', 'media.uploadFile']

type Operation = { operationId: string; parameters: { name?: string }[] }

test('every operation has a method, and every method an operation', async () => {
  const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
    await readFile(join(import.meta.dirname, '../../contract/openapi.json'), 'utf8'),
  )
  const all = Object.values(document.paths).flatMap((item) => Object.values(item))
  const operations = all.map(({ operationId }) => operationId)
  const paginated = all.filter(({ parameters }) => parameters.some(({ name }) => name === 'page' || name === 'cursor'))
  const iterators = paginated.map(({ operationId }) => {
    const [subject, name = ''] = operationId.split('.')
    return name === 'list' ? `${subject}.iterate` : `${subject}.iterate${name.charAt(0).toUpperCase()}${name.slice(1)}`
  })
  expect(iterators).toContain('content.iterate')
  const carillon = createCarillon({ baseUrl: 'https://carillon.example/api' })
  const methods = Object.entries(carillon).flatMap(([subject, named]) => Object.keys(named).map((name) => `${subject}.${name}`))
  expect(methods.toSorted()).toEqual([...operations, ...iterators, ...handWritten].toSorted())
})

test('no source imports from Node', async () => {
  const names = (await readdir(import.meta.dirname)).filter((name) => !/\.(?:test|fixture)\.ts$/.test(name))
  const sources = await Promise.all(names.map((name) => readFile(join(import.meta.dirname, name), 'utf8')))
  expect(names.filter((_, n) => /from 'node:|\bprocess\.|\bBuffer\b/.test(sources[n] ?? ''))).toEqual([])
})
