import { expect, test } from 'vitest'
import { StartError } from '../problem/problem.ts'
import { defineCommand, type CommandEntry } from './command.ts'
import { choice, flag, optionalNumber, optionalText, requiredText } from './option.ts'
import { runProgram } from './run-program.ts'

const greet = defineCommand({
  details: 'Greets a person.',
  options: {
    name: requiredText({ placeholder: 'NAME', about: 'Who is greeted.' }),
    title: optionalText({ placeholder: 'TITLE', about: 'A title.' }),
    times: optionalNumber({ placeholder: 'N', min: 1, max: 3, about: 'How often.' }),
    tone: choice({ values: ['warm', 'formal'], default: 'warm', about: 'How it sounds.' }),
    loud: flag({ about: 'In capital letters.' }),
  },
  run: async (values) => values,
  present: ({ name, tone }) => `Hello ${name}, ${tone}`,
  isFailed: ({ name }) => name === 'nobody',
})

function failing(error: unknown) {
  const work = async () => {
    throw error
  }
  return defineCommand({ details: '', options: {}, run: work, present: () => null })
}

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', address: '127.0.0.1', port: 5432 })

const entries: readonly CommandEntry[] = [
  { name: 'greet', summary: 'greet a person', load: async () => greet },
  { name: 'light on', summary: 'switch on', load: async () => failing(new StartError('There is no light. Buy one.')) },
  { name: 'light off', summary: 'switch off', load: async () => failing(new Error('a bug')) },
  { name: 'dial', summary: 'connect', load: async () => failing(new AggregateError([refused])) },
]

async function run(line: string) {
  const [printed, errors]: [string[], string[]] = [[], []]
  const program = { entries, about: 'A test.', version: '1.2.3' }
  const code = await runProgram(line.split(' ').filter(Boolean), {
    ...program,
    print: (text) => printed.push(text),
    printError: (text) => errors.push(text),
  })
  return { code, printed: printed.join('\n'), errors: errors.join('\n') }
}

test('a command prints a text for people, and with --json the result for programs', async () => {
  expect(await run('greet --name Ada')).toEqual({ code: 0, printed: 'Hello Ada, warm', errors: '' })
  const { printed } = await run('greet --name=Ada --loud --times 2 --json')
  expect(JSON.parse(printed)).toEqual({ name: 'Ada', title: null, times: 2, tone: 'warm', loud: true })
})

test('the exit code is 1 if the result is bad, and 2 only for a wrong command line', async () => {
  expect((await run('greet --name nobody')).code).toBe(1)
  expect(await run('light on')).toMatchObject({ code: 1, errors: 'There is no light. Buy one.' })
  expect(await run('dial')).toMatchObject({ code: 1, errors: expect.stringContaining('Nothing answers at 127.0.0.1:5432') })
  expect(await run('light off')).toMatchObject({ code: 1, errors: expect.stringContaining('error in Carillon') })
})

test.each([
  ['gret --name Ada', '"gret" is not a command. Did you mean "carillon greet"?'],
  ['light', '"carillon light" needs a second word: carillon light on, carillon light off'],
  ['greet', '--name is missing. Give it as --name NAME.'],
  ['greet --name', '--name needs a value'],
  ['greet --name Ada --lout', '--lout is not an option of this command. Did you mean --loud?'],
  ['greet --name Ada --volume 3', '--volume is not an option of this command.'],
  ['greet --name Ada --tone rude', '--tone must be warm or formal, not "rude".'],
  ['greet --name Ada --times 4', '--times must be a whole number from 1 to 3, not "4".'],
  ['greet --name Ada --loud=yes', '--loud has no value'],
  ['greet --name Ada --name Bob', '--name is given twice'],
  ['greet --name Ada Bob', '"Bob" is one word too many'],
  ['', 'A command is missing.'],
])('guarantee: the wrong command line "%s" is refused with exit code 2 and a next step', async (line, message) => {
  const { code, printed, errors } = await run(line)
  expect({ code, printed }).toEqual({ code: 2, printed: '' })
  expect(errors).toContain(message)
  expect(errors).toMatch(/See: carillon|needs a second word/)
})

test('--help lists the commands, and the options of each', async () => {
  const { code, printed } = await run('--help')
  expect(code).toBe(0)
  for (const { name, summary } of entries) expect(printed).toMatch(new RegExp(`${name} +${summary}`))
  const help = (await run('greet --help')).printed
  expect(help).toContain('Usage: carillon greet --name NAME [options]')
  for (const option of ['--name NAME', '--title TITLE', '--tone warm|formal', '--loud', '--json']) expect(help).toContain(option)
  expect((await run('greet -h')).printed).toBe(help)
  expect((await run('--version')).printed).toBe('1.2.3')
})
