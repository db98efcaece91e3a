import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from './command-list.ts'
import { exitCodes } from './exit-codes.ts'

/** Every command has these. */
const everywhere = ['json', 'help']
const skill = await readFile(join(import.meta.dirname, '../../skills/carillon/SKILL.md'), 'utf8')

/** Guarantee: an assistant that follows the skill types commands and options that exist. */
test('every command of the skill exists, with its options', async () => {
  const block = /```sh\n(.*?)```/s.exec(skill)?.[1] ?? ''
  const inText = [...skill.matchAll(/`carillon ([^`]+)`/g)].map(([, words = '']) => words)
  const lines = [
    ...block
      .trim()
      .split('\n')
      .map((line) => line.replace(/^carillon /, '')),
    ...inText,
  ]
  expect(lines.length).toBeGreaterThan(10)
  for (const line of lines) {
    const entry = commands.find(({ name }) => line === name || line.startsWith(`${name} `))
    if (!entry) throw new Error(`there is no command for: carillon ${line}`)
    const { options } = await entry.load()
    for (const [, option = ''] of line.matchAll(/--([a-z-]+)/g))
      expect({ line, options: [...Object.keys(options), ...everywhere] }).toMatchObject({
        options: expect.arrayContaining([option]),
      })
  }
})

test('the options in its sentences belong to post create or post delete', async () => {
  const all = await Promise.all(commands.filter(({ name }) => /^post (?:create|delete)$/.test(name)).map(({ load }) => load()))
  const known = new Set([...everywhere, ...all.flatMap(({ options }) => Object.keys(options))])
  const named = [...skill.matchAll(/`[^`\n]*?--([a-z-]+)[^`\n]*`/g)].map(([, option = '']) => option)
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((option) => !known.has(option))).toEqual([])
})

test('its table has every exit code but that of a mistake in the program', () => {
  const codes = [...skill.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
  expect(codes).toEqual(
    Object.values(exitCodes)
      .filter((code) => code < 70)
      .toSorted((a, b) => a - b),
  )
})
