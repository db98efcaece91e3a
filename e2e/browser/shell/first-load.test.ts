import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '@carillon/stack/services'
import { expect, test } from 'vitest'

type Chunk = { file: string; imports?: string[]; css?: string[] }

const dist = join(root, 'web/dist')
const kilobytesMax = 260
/** Each file is a request, and a browser sends six at a time where the proxy does not speak HTTP/2. */
const filesMax = 60

/** What a person loads until the calendar is shown: the entry, the sign-in page, the calendar, and the English texts of these. */
const wanted = [
  'index.html',
  'src/people/sign-in.page.tsx',
  'src/shell/frame.tsx',
  'src/calendar/calendar.page.tsx',
  ...['shell', 'errors', 'people', 'calendar', 'posts'].map((subject) => `src/i18n/en/${subject}.json`),
]

test(`guarantee: signing in and seeing the calendar loads at most ${kilobytesMax} kB in ${filesMax} files`, () => {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const files = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`the build has no ${name}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const style of chunk.css ?? []) files.add(style)
    for (const each of chunk.imports ?? []) visit(each)
  }
  for (const name of wanted) visit(name)
  const sizes = [...files].map((file) => ({ file, bytes: readFileSync(join(dist, `${file}.gz`)).length }))
  const kilobytes = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1000
  console.log(`first load: ${kilobytes.toFixed(1)} kB gzip in ${files.size} files`)
  for (const { file, bytes } of sizes.toSorted((a, b) => b.bytes - a.bytes))
    console.log(`  ${(bytes / 1000).toFixed(1).padStart(6)} ${file}`)
  expect(kilobytes).toBeLessThanOrEqual(kilobytesMax)
  expect(files.size).toBeLessThanOrEqual(filesMax)
})
