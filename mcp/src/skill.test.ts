import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tools } from './tools/tools.ts'

/** Guarantee: the skill for assistants names every tool, and none that does not exist. */
test('the table of the skill has the tools of this server', async () => {
  const skill = await readFile(join(import.meta.dirname, '../../skills/carillon/SKILL.md'), 'utf8')
  const section = /## With the MCP tools\n(.*?)\n## /s.exec(skill)?.[1] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  expect(named.toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
  const anywhere = [...section.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = '']) => name)
  expect(anywhere.filter((name) => !named.includes(name))).toEqual([])
})
