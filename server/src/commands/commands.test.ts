import { commands as commandsForPeople, isCommandForPeople } from '@carillon/cli'
import { expect, test } from 'vitest'
import { commandHelp } from '../infra/command-line/run-program.ts'
import { commands } from './commands.ts'

test('every command of the list can be loaded and has help in full sentences', { timeout: 120_000 }, async () => {
  for (const entry of commands) {
    const command = await entry.load()
    expect(command.details).toMatch(/\.$/)
    for (const { about } of Object.values(command.options)) expect(about).toMatch(/\.$/)
    expect(commandHelp(entry, command)).toContain(`Usage: carillon ${entry.name}`)
  }
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length)
})

/** Guarantee: no command for operators is hidden by one for people, which share the word `carillon`. */
test('no command is in both lists', () => {
  expect(commands.filter(({ name }) => isCommandForPeople(name.split(' ')))).toEqual([])
  expect(commandsForPeople.every(({ name }) => isCommandForPeople(name.split(' ')))).toBe(true)
})
