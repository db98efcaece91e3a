import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { channelErrors, requestErrors } from './errors.ts'

/** Guarantee: every error a client can meet has a page that tells the truth about it, and no page tells of an error that is gone. */
const folder = join(import.meta.dirname, '../../docs/errors')
const readPage = (code: string) => readFile(join(folder, `${code}.md`), 'utf8')

test('table and pages are the same list', async () => {
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const codes = [...Object.keys(requestErrors), ...Object.keys(channelErrors)]
  expect(pages.map((name) => name.slice(0, -'.md'.length)).toSorted()).toEqual(codes.toSorted())
})

test('a code means one thing', () => {
  expect(Object.keys(channelErrors).filter((code) => code in requestErrors)).toEqual([])
})

describe.each(Object.entries(requestErrors))('%s', (code, { status, action, retryable }) => {
  test('its page states status, action and whether to repeat, and shows such an answer', async () => {
    const page = await readPage(code)
    const help = retryable ? 'worth repeating' : 'repeating does not help'
    expect(page).toContain(`# \`${code}\`\n\nHTTP ${status} · action \`${action}\` · ${help}\n`)
    expect(exampleIn(page)).toMatchObject({ success: false, error: { code, action, retryable } })
    expectParts(page)
  })
})

describe.each(Object.entries(channelErrors))('%s', (code, { action, retryable }) => {
  test('its page states action and whether to retry, and shows such an error', async () => {
    const page = await readPage(code)
    const help = retryable ? 'worth a retry' : 'a retry does not help'
    expect(page).toContain(`# \`${code}\`\n\nChannel error · action \`${action}\` · ${help}\n`)
    expect(exampleIn(page)).toMatchObject({ code, action, retryable })
    expectParts(page)
  })
})

function exampleIn(page: string): unknown {
  return JSON.parse(/```json\n([^`]*)```/.exec(page)?.[1] ?? 'null')
}

function expectParts(page: string): void {
  for (const part of ['What it means', 'Why it happens', 'What to do', 'Example']) expect(page).toContain(`\n## ${part}`)
}
