import { diagnose, type Diagnosis } from '../features/doctor/diagnose.ts'
import { defineCommand } from '../infra/command-line/command.ts'

export const doctorCommand = defineCommand({
  details:
    'Checks everything that an installation needs, with the settings of this environment, and says what to do for each fault. It changes ' +
    'nothing but a small file in the media store, which it deletes again. Run it before the first start, after a change, and when ' +
    'something is wrong. The exit code is 1 if a check fails; warnings do not count.',
  options: {},
  run: () => diagnose(),
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
