import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'
import type { Violation } from './imports.ts'
import { licenceExceptions, shippedLicences, toolLicences } from './licences.data.ts'

type ListedPackage = { name: string; versions: readonly string[]; license: string }

/** Everything that is installed for running what we ship, and everything else. */
export type InstalledPackages = { shipped: readonly ListedPackage[]; tools: readonly ListedPackage[] }

/** The packages whose dependencies reach users: with the program, its web app, the SDK, the MCP server, the command line and the documentation site. */
const shippedPackages = ['server', 'web', 'sdk', 'mcp', 'cli', 'docs-site']

/** Every dependency with a licence that is neither allowed nor a listed exception. */
export async function checkLicences(): Promise<Violation[]> {
  const filters = shippedPackages.flatMap((name) => ['--filter', `@carillon/${name}`])
  const [shipped, all] = await Promise.all([listPackages('--prod', ...filters), listPackages('-r')])
  if (shipped.length < 100) throw new Error('pnpm lists too few packages: the check would pass without checking anything')
  return findLicenceProblems({ shipped, tools: all })
}

export function findLicenceProblems({ shipped, tools }: InstalledPackages): Violation[] {
  const isShipped = new Set(shipped.map(keyOf))
  const problems = [
    ...shipped.filter((each) => !isAllowed(each, shippedLicences)),
    ...tools.filter((each) => !isShipped.has(keyOf(each)) && !isAllowed(each, shippedLicences.union(toolLicences))),
  ]
  return problems.map(({ name, versions, license }) => ({
    path: `${name} ${versions.join(', ')}`,
    problem: `has the licence "${license}", which scripts/check/licences.data.ts does not allow. Use another package, or explain an exception there`,
  }))
}

async function listPackages(...args: string[]): Promise<ListedPackage[]> {
  const printed = await runCommand('pnpm', [...args, 'licenses', 'list', '--json'], { cwd: root })
  return Object.values(JSON.parse(printed) as Record<string, ListedPackage[]>).flat()
}

function keyOf({ name, versions, license }: ListedPackage): string {
  return `${name} ${versions.join(' ')} ${license}`
}

function isAllowed({ name, license }: ListedPackage, allowed: ReadonlySet<string>): boolean {
  return isException(name, license) || isExpressionAllowed(license, allowed)
}

function isException(name: string, license: string): boolean {
  return Object.entries(licenceExceptions).some(([pattern, known]) => {
    const isNamed = pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
    return isNamed && license === known
  })
}

/** SPDX expressions without nesting: of `A OR B` one must be allowed, of `A AND B` all. */
function isExpressionAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const plain = expression.replaceAll(/[()]/g, '')
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((licence) => allowed.has(licence.trim())))
}
