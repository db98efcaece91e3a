import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const texts = join(root, 'web/src/i18n/en')

/** Every English text of the web app. */
const shown = new Set(readdirSync(texts).flatMap((file) => textsOf(JSON.parse(readFileSync(join(texts, file), 'utf8')))))

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** Guarantee: a button that a guide for people names is there, with these words. */
test.each(['write-and-schedule', 'when-something-fails', 'invite-people', 'approvals'])(
  '%s names buttons, tabs and states as the app does',
  (name) => {
    const guide = readFileSync(join(root, 'docs/guides', `${name}.md`), 'utf8')
    const bold = [...guide.matchAll(/\*\*(.+?)\*\*/gs)].map(([, words = '']) => words.replaceAll(/\s+/g, ' '))
    expect(bold.flatMap((words) => words.split(' → ')).filter((words) => !shown.has(words))).toEqual([])
  },
)
