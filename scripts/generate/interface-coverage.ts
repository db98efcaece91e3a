import { generatedFrom, type Job } from './job.ts'
import { readCoverage, type CoveredRow } from './read-coverage.ts'

/** Which test holds the service to which statement of its interface. */
export const interfaceCoverage: Job = {
  name: 'interface coverage',
  make: async () => {
    const { rows } = await readCoverage()
    return [{ path: 'docs/interface-coverage.md', text: `${page(rows).join('\n')}\n` }]
  },
}

function page(rows: readonly CoveredRow[]): string[] {
  const covered = rows.filter(({ files }) => files.length > 0)
  const sections = Map.groupBy(rows, ({ id }) => id.split(' ').slice(0, 2).join(' '))
  return [
    `<!-- ${generatedFrom('e2e/coverage and the tests in e2e/acceptance')} -->`,
    '# What is tested of the interface',
    '',
    'Every statement of [the interface](interface.md) has an id and at least one test against the running service, named `<id>: <statement>`.',
    '`I` is the interface itself, `D` what Carillon decides where it leaves something open; the number is the section. `pnpm e2e` runs them all,',
    `\`pnpm e2e -t "I 4.1"\` those of a section. ${covered.length} of ${rows.length} are covered.`,
    ...[...sections].flatMap(([name, all]) => [
      '',
      `## ${name}`,
      '',
      '| Row | Statement | Test |',
      '|---|---|---|',
      ...all.map(line),
    ]),
  ]
}

function line({ id, text, files }: CoveredRow): string {
  const tests = files.map((file) => `[${file.replace('e2e/acceptance/', '')}](../${file})`)
  return `| ${escape(id)} | ${escape(text)} | ${tests.join(', ') || '**none**'} |`
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
