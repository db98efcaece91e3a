import { generatedFrom, type FileGenerator } from './file-generator.ts'
import { readCoverage, type CoveredRow } from './read-coverage.ts'

/** Which statement of the interface is covered by which test. */
export const interfaceCoverage: FileGenerator = {
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
    '# Test coverage of the interface',
    '',
    'Every statement of [the interface](interface.md) has an id and at least one test against the running service, named `<id>: <statement>`.',
    '`I` stands for the interface, `D` for a decision of Carillon where the interface leaves something open; the number is the section.',
    `\`pnpm e2e\` runs all tests, \`pnpm e2e -t "I 4.1"\` those of a section. ${covered.length} of ${rows.length} are covered.`,
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
