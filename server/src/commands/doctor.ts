import { diagnose, diagnoseMcp, type Diagnosis } from '../features/doctor/diagnose.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { flag, optionalText } from '../infra/command-line/option.ts'

export const doctorCommand = defineCommand({
  details:
    'Checks everything that an installation needs, with the settings of this environment, and says what to do for each fault. It changes ' +
    'nothing but a small file in the media store, which it deletes again. Run it before the first start, after a change, and when ' +
    'something is wrong. The exit code is 1 if a check fails; warnings do not count.',
  options: {
    mcp: flag({ about: 'Instead, walk the way of an assistant to /mcp at the public address, and say where it breaks.' }),
    key: optionalText({ about: 'With --mcp: also list the tools with this API key.', placeholder: 'sk_…' }),
  },
  run: ({ mcp, key }) => (mcp ? diagnoseMcp(key) : diagnose()),
  present,
  isFailed: ({ status }) => status === 'fail',
})

const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL', skipped: '-   ' } as const

function present({ checks }: Diagnosis): string {
  const width = Math.max(...checks.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat(width + 6)
  const lines = checks.flatMap(({ name, status, message, action }) => [
    `${marks[status]}  ${name.padEnd(width)}${message.replaceAll('\n', `\n${indent}`)}`,
    ...(action === undefined ? [] : [`${indent}→ ${action}`]),
  ])
  const count = (wanted: string) => checks.filter(({ status }) => status === wanted).length
  const end = `${count('fail')} failed, ${count('warn')} warnings, ${count('ok')} fine, ${count('skipped')} not checked.`
  return [...lines, '', end].join('\n')
}
