import type { Verdict } from '@carillon/sdk'
import type { Terminal } from '../terminal.ts'
import { cleanText } from './clean-text.ts'
import { paint } from './print-table.ts'

/** What a check found, for each account. */
export function describeVerdict({ valid, connections, issues }: Verdict, { hasColor }: Pick<Terminal, 'hasColor'>): string {
  const named = new Set(
    connections.flatMap(({ violations, warnings }) => [...violations.map(({ message }) => message), ...warnings]),
  )
  const common = issues.filter(({ message }) => !named.has(message))
  return [
    valid
      ? paint('This post can be published. Nothing was published or stored.', 'green', hasColor)
      : paint('This post would be refused. Nothing was published or stored.', 'red', hasColor),
    ...common.map(({ path, message, blocking }) => `${blocking ? '✗' : '!'} ${cleanText(path)}: ${cleanText(message)}`),
    ...connections.flatMap(({ connection, violations, warnings }) => [
      ...violations.map(({ message }) => `✗ ${cleanText(connection)}: ${cleanText(message)}`),
      ...warnings.map((warning) => `! ${cleanText(connection)}: ${cleanText(warning)}`),
    ]),
  ].join('\n')
}
