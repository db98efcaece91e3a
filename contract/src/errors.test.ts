import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { channelErrors, requestErrors } from './errors.ts'

/** Guarantee: every error code has a page with its correct properties, and no page describes a removed code. */
const folder = join(import.meta.dirname, '../../docs/errors')
const readPage = (code: string) => readFile(join(folder, `${code}.md`), 'utf8')

test('every code has a page, and every page a code', async () => {
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const codes = [...Object.keys(requestErrors), ...Object.keys(channelErrors)]
  expect(pages.map((name) => name.slice(0, -'.md'.length)).toSorted()).toEqual(codes.toSorted())
})

test('no code is both a request error and a channel error', () => {
  expect(Object.keys(channelErrors).filter((code) => code in requestErrors)).toEqual([])
})

describe.each(Object.entries(requestErrors))('%s', (code, { status, action, retryable }) => {
  test('the page states status, action and whether to repeat, and has an example', async () => {
    const page = await readPage(code)
    const help = retryable ? 'worth repeating' : 'repeating does not help'
    expect(page).toContain(`# \`${code}\`\n\nHTTP ${status} · action \`${action}\` · ${help}\n`)
    expect(readExample(page)).toMatchObject({ success: false, error: { code, action, retryable } })
    expectSections(page)
  })
})

describe.each(Object.entries(channelErrors))('%s', (code, { action, retryable }) => {
  test('the page states action and whether to retry, and has an example', async () => {
    const page = await readPage(code)
    const help = retryable ? 'worth a retry' : 'a retry does not help'
    expect(page).toContain(`# \`${code}\`\n\nChannel error · action \`${action}\` · ${help}\n`)
    expect(readExample(page)).toMatchObject({ code, action, retryable })
    expectSections(page)
  })
})

function readExample(page: string): unknown {
  return JSON.parse(/```json\n([^`]*)```/.exec(page)?.[1] ?? 'null')
}

function expectSections(page: string): void {
  for (const section of ['What it means', 'Why it happens', 'What to do', 'Example']) expect(page).toContain(`\n## ${section}`)
}
