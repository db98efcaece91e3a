import { countingVectors } from '@carillon/simulator'
import { expect, test } from 'vitest'
import { carillon, countOnPlatform } from '../../test-stack.ts'
import { openDesk } from '../rig/desk.ts'
import { account, openComposer, textField } from './writing.ts'

/** Guarantee: the composer shows how much room there is as the platforms count it. */
test('200 texts of many scripts leave as much room as each platform counts', { timeout: 180_000 }, async () => {
  const desk = await openDesk({ expects: [404] })
  const { page } = desk
  const platforms = await carillon.platforms.list()
  const names = platforms.map(({ name }) => name)
  await openComposer(desk)
  for (const name of names) await account(page, name).click()
  const row = page.locator('#compose-count')
  /** The tightest platform stands first with its name last, the others have their name first. */
  const readRow = async (): Promise<Map<string, number>> => {
    const [first = '', ...rest] = await row.locator(':scope > span').allInnerTexts()
    const left = (words: string) => Number(words.replaceAll(',', '').match(/-?\d+/)?.[0])
    return new Map([
      [names.find((name) => first.endsWith(` ${name}`)) ?? first, left(first)],
      ...rest.map((words): [string, number] => [names.find((name) => words.startsWith(`${name} `)) ?? words, left(words)]),
    ])
  }
  const fill = async (text: string) => {
    await textField(page).fill(text)
    return readRow()
  }
  const room = await fill('a')
  expect([...room.keys()].toSorted()).toEqual(names.toSorted())
  const wanted = await Promise.all(platforms.map(({ platform }) => countOnPlatform(platform, countingVectors)))
  const wrong: string[] = []
  for (const [at, vector] of countingVectors.entries()) {
    const left = await fill(vector)
    for (const [position, name] of names.entries()) {
      const counted = (room.get(name) ?? NaN) + 1 - (left.get(name) ?? NaN)
      const expected = wanted[position]?.[at]
      if (counted !== expected) wrong.push(`${name}: ${JSON.stringify(vector)} is ${counted}, the platform counts ${expected}`)
    }
  }
  expect(wrong).toEqual([])
})
