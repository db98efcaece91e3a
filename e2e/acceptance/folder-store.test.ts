import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callData } from '../support/call.ts'
import { fileOf, formOf, makePdf, makePng } from '../support/files.ts'
import type { MediaItem } from '../support/posts.ts'
import { startSecondServer, type SecondServer } from '../support/second-server.ts'
import { testStack } from '../test-stack.ts'

// A service without S3 stores its files in a folder and serves them itself.
const picture = makePng(6)
let server: SecondServer
let url: string
beforeAll(async () => {
  server = await startSecondServer((origin) => ({
    CARILLON_S3_BUCKET: '',
    CARILLON_MEDIA_DIR: join(testStack.dir, 'media'),
    CARILLON_FILES_URL: origin,
  }))
  url = (await keep(picture, 'Bells at nine.png')).url
}, 120_000)
afterAll(() => server.stop())

function keep(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<MediaItem> {
  return callData<MediaItem>('POST /media/upload', { form: formOf(['file', fileOf(bytes, name)]), baseUrl: server.baseUrl })
}

test('a file is served with its own type and with headers that keep it from running scripts', async () => {
  const response = await fetch(url)
  expect([response.status, new Uint8Array(await response.arrayBuffer())]).toEqual([200, picture])
  const headerNames = ['content-type', 'x-content-type-options', 'content-security-policy', 'accept-ranges']
  expect(headerNames.map((name) => response.headers.get(name))).toEqual([
    'image/png',
    'nosniff',
    "default-src 'none'; sandbox",
    'bytes',
  ])
  // A PDF may contain scripts, so it is served as a download.
  const paper = await fetch((await keep(makePdf(), 'Bells.pdf')).url)
  expect(paper.headers.get('content-disposition')).toMatch(/^attachment; filename="?Bells\.pdf/)
})

test('a signed URL works for an hour, and not when it is altered', async () => {
  const signed = new URL(url)
  const seconds = Number(signed.searchParams.get('expires')) - Date.now() / 1000
  expect(Math.abs(seconds - 3600)).toBeLessThan(60)
  const statusOf = async (change: (altered: URL) => void, method = 'GET') => {
    const altered = new URL(url)
    change(altered)
    return (await fetch(altered, { method })).status
  }
  for (const [name, value] of signed.searchParams) {
    const other = `${value.slice(0, -1)}${value.endsWith('1') ? '2' : '1'}`
    expect([name, await statusOf(({ searchParams }) => searchParams.set(name, other))]).toEqual([name, 403])
    expect([name, await statusOf(({ searchParams }) => searchParams.delete(name))]).toEqual([name, 403])
  }
  expect(await statusOf(({ searchParams }) => searchParams.append('type', 'text/html'))).toBe(403)
  expect(await statusOf((altered) => (altered.pathname = altered.pathname.replace(/.$/, 'x')))).toBe(403)
  expect(await statusOf((altered) => (altered.pathname = `${altered.pathname}/../../kept.json`))).toBe(403)
  for (const method of ['PUT', 'DELETE', 'POST']) expect([method, await statusOf(() => {}, method)]).toEqual([method, 403])
})

test('ranges of a file can be requested', async () => {
  const part = async (range: string) => {
    const response = await fetch(url, { headers: { range } })
    const bytes = Buffer.from(await response.arrayBuffer())
    return [response.status, response.headers.get('content-range'), bytes.equals(picture) ? 'whole' : bytes.toString('hex')]
  }
  const size = picture.length
  const hex = (start: number, end: number) => Buffer.from(picture.slice(start, end)).toString('hex')
  expect(await part('bytes=0-7')).toEqual([206, `bytes 0-7/${size}`, hex(0, 8)])
  expect(await part('bytes=8-11')).toEqual([206, `bytes 8-11/${size}`, hex(8, 12)])
  expect(await part(`bytes=${size - 3}-`)).toEqual([206, `bytes ${size - 3}-${size - 1}/${size}`, hex(size - 3, size)])
  expect(await part('bytes=-4')).toEqual([206, `bytes ${size - 4}-${size - 1}/${size}`, hex(size - 4, size)])
  expect(await part(`bytes=4-${size + 100}`)).toEqual([206, `bytes 4-${size - 1}/${size}`, hex(4, size)])
  for (const unfit of [`bytes=${size}-`, 'bytes=-0', 'bytes=9-8'])
    expect([unfit, (await part(unfit)).slice(0, 2)]).toEqual([unfit, [416, `bytes */${size}`]])
  // Several ranges or an unknown unit: the answer is the whole file, which every client must accept.
  for (const whole of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=a-b'])
    expect([whole, await part(whole)]).toEqual([whole, [200, null, 'whole']])
})
